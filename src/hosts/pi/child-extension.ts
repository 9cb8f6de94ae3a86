import { createRequire } from "node:module";
import type { ExtensionAPI } from "@earendil-works/pi-coding-agent";

/**
 * The only extension of a child. pi's loader transforms every file it is given, so this one is all it sees:
 * the rest is required past the loader, as plain compiled modules. Those cannot import pi's packages, which is
 * why the one thing needed from them is handed over.
 */
export default async function childExtension(pi: ExtensionAPI): Promise<void> {
	const extension = import.meta.url.endsWith(".ts") ? ".ts" : ".js";
	const child = createRequire(import.meta.url)(
		`./child/set-up-child${extension}`,
	) as typeof import("./child/set-up-child.ts");
	await child.setUpChild(
		pi,
		async () => (await import("@earendil-works/pi-ai")).createAssistantMessageEventStream,
	);
}
