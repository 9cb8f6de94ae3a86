// `npm run test:clients [client…]`: installs the clients (about 1.4 GB, once), compiles the package and drives them.
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { build } from "./build.mjs";
import { bundledNode, installDependencies, root } from "./install-dependencies.mjs";

installDependencies(root, "dependencies");
installDependencies(join(root, "test", "peers", "agents"), "Claude Code and Codex");
installDependencies(join(root, "test", "peers", "clients"), "the other MCP clients");
build();
const run = spawnSync(
	bundledNode(),
	[
		"--disable-warning=ExperimentalWarning",
		join(root, "test", "clients", "run.ts"),
		...process.argv.slice(2),
	],
	{ cwd: root, stdio: "inherit" },
);
process.exitCode = run.status ?? 1;
