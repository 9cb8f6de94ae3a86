// `npm test [-- vitest arguments]`: make the clone ready, then run the suites with the bundled Node.
import { spawnSync } from "node:child_process";
import { delimiter, join } from "node:path";
import { installNewerPi } from "../test/peers/pi-1x/install.mjs";
import { build } from "./build.mjs";
import { bundledNode, installDependencies, root } from "./install-dependencies.mjs";

// Two at a time for two cores: only the build needs what is installed in the root.
await Promise.all([installDependencies(root, "dependencies").then(build), installPeers()]);

async function installPeers() {
	const peers = join(root, "test", "peers");
	await installDependencies(peers, "what the tests talk to");
	await installDependencies(join(peers, "agents"), "the agents that can be children");
	await installDependencies(join(peers, "semantic"), "the model of the semantic part");
	await installDependencies(join(peers, "llama-cpp"), "llama.cpp");
	await installDependencies(join(root, "docs"), "what builds the documentation");
	await installDependencies(join(peers, "oldest-node"), "the oldest Node that is supported");
	await installNewerPi();
}

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
