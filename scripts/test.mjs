// `npm test [-- vitest arguments]`: make the clone ready, then run the suites with the bundled Node.
import { spawnSync } from "node:child_process";
import { delimiter, join } from "node:path";
import { installNewerPi } from "../test/peers/pi-1x/install.mjs";
import { build } from "./build.mjs";
import { bundledNode, installDependencies, root } from "./install-dependencies.mjs";

installDependencies(root, "dependencies");
installDependencies(join(root, "test", "peers"), "what the tests talk to");
installDependencies(join(root, "test", "peers", "agents"), "the agents that can be children");
installDependencies(join(root, "test", "peers", "semantic"), "the model of the semantic part");
installDependencies(join(root, "docs"), "what builds the documentation");
installDependencies(join(root, "test", "peers", "oldest-node"), "the oldest Node that is supported");
installNewerPi();
build();

const node = bundledNode();
const vitest = spawnSync(
	node,
	[join(root, "node_modules", "vitest", "vitest.mjs"), "run", ...process.argv.slice(2)],
	{
		cwd: root,
		stdio: "inherit",
		env: { ...process.env, PATH: `${join(node, "..")}${delimiter}${process.env.PATH}` },
	},
);
process.exitCode = vitest.status ?? 1;
