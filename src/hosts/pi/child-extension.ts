import { createRequire } from "node:module";
import type { ExtensionAPI } from "@earendil-works/pi-coding-agent";
import { locateEntryPoint } from "../../entry-points.ts";

/**
 * The only extension of a child. It imports none of pi's packages, at its head or later, so that pi can load
 * it and all behind it as the plain compiled modules they are.
 */
export default async function childExtension(pi: ExtensionAPI): Promise<void> {
	const child = createRequire(import.meta.url)(
		locateEntryPoint("pi-child"),
	) as typeof import("./child/set-up-child.ts");
	await child.setUpChild(pi);
}
