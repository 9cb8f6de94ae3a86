// `npm run test:clients`: installs the clients (about 1.4 GB, once), compiles the package and drives them, each alone and one
// delegating to another. `npm run test:clients <client…>`, `cross`, `long`: a part of it, and calls longer than clients wait.
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { build } from "./build.mjs";
import { bundledNode, installDependencies, root } from "./install-dependencies.mjs";

const PARTS = { cross: ["cross-agent.ts"], long: ["long-runs.ts"] };
const words = process.argv.slice(2);
const names = words.filter((word) => !word.startsWith("-"));
const programs = PARTS[names[0]] ?? (names.length === 0 ? ["run.ts", "cross-agent.ts"] : ["run.ts"]);

await installDependencies(root, "dependencies");
await installDependencies(join(root, "test", "peers", "agents"), "Claude Code and Codex");
await installDependencies(join(root, "test", "peers", "clients"), "the other MCP clients");
await build();
for (const program of programs) {
	const run = spawnSync(
		bundledNode(),
		["--disable-warning=ExperimentalWarning", join(root, "test", "clients", program), ...words],
		{ cwd: root, stdio: "inherit" },
	);
	if (run.status !== 0) process.exitCode = run.status ?? 1;
}
