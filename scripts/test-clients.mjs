// `npm run test:clients [client…]`: installs the clients (about 1.4 GB, once), compiles the package and drives them.
// `npm run test:clients cross`: one agent delegates to another.
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { build } from "./build.mjs";
import { bundledNode, installDependencies, root } from "./install-dependencies.mjs";

const isCross = process.argv[2] === "cross";
installDependencies(root, "dependencies");
installDependencies(join(root, "test", "peers", "agents"), "Claude Code and Codex");
if (!isCross) installDependencies(join(root, "test", "peers", "clients"), "the other MCP clients");
build();
const run = spawnSync(
	bundledNode(),
	[
		"--disable-warning=ExperimentalWarning",
		// Between Claude Code and Codex, which needs no other client.
		join(root, "test", "clients", isCross ? "cross-agent.ts" : "run.ts"),
		...process.argv.slice(2),
	],
	{ cwd: root, stdio: "inherit" },
);
process.exitCode = run.status ?? 1;
