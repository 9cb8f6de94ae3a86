import { createRequire } from "node:module";
import { createAssistantMessageEventStream } from "@earendil-works/pi-ai";
import type { ExtensionAPI } from "@earendil-works/pi-coding-agent";
import { locateEntryPoint } from "../../entry-points.ts";

/**
 * The extension of a child that the embedded navigator answers for. It needs one thing of pi's packages, and
 * only a static import brings the file to the loader that knows where they are; other children are spared that.
 */
export default async function offlineChildExtension(pi: ExtensionAPI): Promise<void> {
	const child = createRequire(import.meta.url)(
		locateEntryPoint("pi-child"),
	) as typeof import("./child/set-up-child.ts");
	await child.setUpChild(pi, createAssistantMessageEventStream);
}
