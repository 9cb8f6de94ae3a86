// What pi loads. pi lists an extension whose file is called index by its package or its directory: "deputize".
// It is the only file of the parent that pi's loader transforms, and the only one that imports pi: everything else is loaded by
// Node itself and is handed what it needs of pi. It is TypeScript because pi's loader transforms that at once. A JavaScript module it
// would first give to Node, which looks for pi in every directory above, and takes another copy where it finds one.
import { createRequire } from "node:module";
import * as codingAgent from "@earendil-works/pi-coding-agent";
import * as tui from "@earendil-works/pi-tui";

type Parent = typeof import("./src/hosts/pi/parent/open-parent.ts");

export default function deputize(pi: codingAgent.ExtensionAPI): void {
	// An installed package is loaded in every pi, also in a child that was started without our flags.
	if (process.env["PI_SUBAGENT_CHILD"] === "1") return;
	const { openParent } = createRequire(import.meta.url)("./dist/pi-parent.js") as Parent;
	openParent(pi, codingAgent, tui);
}
