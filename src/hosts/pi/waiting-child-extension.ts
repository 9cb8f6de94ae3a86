import { createRequire } from "node:module";
import type { ExtensionAPI } from "@earendil-works/pi-coding-agent";
import * as codingAgent from "@earendil-works/pi-coding-agent";
import { locateEntryPoint } from "../../entry-points.ts";

/**
 * The extension of a child that is started before its task is there. Its import of pi brings it to pi's slower
 * loader, which a child that somebody waits for is spared.
 */
export default async function waitingChildExtension(pi: ExtensionAPI): Promise<void> {
	const child = createRequire(import.meta.url)(
		locateEntryPoint("pi-child"),
	) as typeof import("./child/set-up-child.ts");
	await child.setUpChild(pi, codingAgent);
}
