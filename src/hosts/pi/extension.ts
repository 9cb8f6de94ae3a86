import { createRequire } from "node:module";
import * as codingAgent from "@earendil-works/pi-coding-agent";
import * as tui from "@earendil-works/pi-tui";
import { locateEntryPoint } from "../../entry-points.ts";

/**
 * What pi loads in the parent. It is the only file of the parent that pi's loader transforms, and the only
 * one that imports pi: everything else is loaded by Node itself and is handed what it needs of pi. The imports
 * must be static: a file without any of pi's packages at its head is not given to the loader that knows them.
 */
export default function extension(pi: codingAgent.ExtensionAPI): void {
	// An installed package is loaded in every pi, also in a child that was started without our flags.
	if (process.env["PI_SUBAGENT_CHILD"] === "1") return;
	const parent = createRequire(import.meta.url)(
		locateEntryPoint("pi-parent"),
	) as typeof import("./parent/open-parent.ts");
	parent.openParent(pi, { ...codingAgent, ...tui });
}
