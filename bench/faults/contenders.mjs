// Each package as it is installed, and how its delegation tool is called for one foreground run of the agent "probe".
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../..", import.meta.url));
const require = createRequire(import.meta.url);

/** A package's first pi extension, from its manifest. */
function extensionOf(name) {
	const manifest = require.resolve
		.paths(name)
		.map((path) => join(path, name, "package.json"))
		.find((file) => {
			try {
				require(file);
				return true;
			} catch {
				return false;
			}
		});
	const [first] = require(manifest).pi.extensions;
	return join(dirname(manifest), first);
}

export const CONTENDERS = [
	{
		name: "deputize",
		extension: join(root, "index.ts"),
		tool: "subagent",
		args: (task) => ({ agent: "probe", task }),
	},
	{
		name: "pi's example",
		extension: join(
			root,
			"node_modules/@earendil-works/pi-coding-agent/examples/extensions/subagent/index.ts",
		),
		tool: "subagent",
		args: (task) => ({ agent: "probe", task }),
	},
	{
		name: "pi-subagents 0.67.0",
		extension: extensionOf("pi-subagents"),
		tool: "subagent",
		args: (task) => ({ agent: "probe", task, async: false }),
	},
	{
		name: "@tintinweb/pi-subagents 0.14.1",
		extension: extensionOf("@tintinweb/pi-subagents"),
		tool: "Agent",
		args: (task) => ({
			subagent_type: "probe",
			description: "probe",
			prompt: task,
			run_in_background: false,
		}),
	},
];

/** An agent that every contender can read; the tool names are pi's own. */
export const PROBE_AGENT = `---
name: probe
description: Looks things up and never changes anything
readonly: true
tools: read, grep, find, ls
---
You look things up. You never change anything.
`;
