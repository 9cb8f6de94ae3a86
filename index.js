// What pi loads. pi lists an extension whose file is called index.js by its package or its directory: "deputize".
// It is the only file of the parent that pi's loader transforms, and the only one that imports pi: everything else is loaded by
// Node itself and is handed what it needs of pi. The imports must be static: a file without any of pi's packages at its
// head is not given to the loader that knows them.
import { createRequire } from "node:module";
import * as codingAgent from "@earendil-works/pi-coding-agent";
import * as tui from "@earendil-works/pi-tui";

export default function deputize(pi) {
	// An installed package is loaded in every pi, also in a child that was started without our flags.
	if (process.env.PI_SUBAGENT_CHILD === "1") return;
	const { openParent } = createRequire(import.meta.url)("./dist/pi-parent.js");
	openParent(pi, codingAgent, tui);
}
