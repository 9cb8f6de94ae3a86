// `npm run docs [-- serve <port>]`: builds the documentation site and serves it on loopback until Ctrl-C.
// `npm run docs -- build` only builds; `npm run docs -- dev` serves the pages as they are edited.
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { build } from "./build.mjs";
import { bundledNode, installDependencies, root } from "./install-dependencies.mjs";
import { serveSite } from "./serve-site.mjs";

const folder = join(root, "docs");
const [mode = "serve", ...rest] = process.argv.slice(2);

function runVitePress(...args) {
	const program = join(folder, "node_modules", "vitepress", "bin", "vitepress.js");
	const run = spawnSync(bundledNode(), [program, ...args], { cwd: root, stdio: "inherit" });
	if (run.status !== 0) process.exit(run.status ?? 1);
}

await installDependencies(root, "dependencies");
await installDependencies(folder, "what builds the documentation");
// The page of commands shows what the compiled command prints.
await build();
if (mode === "dev") runVitePress("dev", "docs", "--host", "127.0.0.1", ...rest);
else runVitePress("build", "docs", ...(mode === "build" ? rest : []));
if (mode === "serve") {
	const { address } = await serveSite(join(folder, ".vitepress", "dist"), Number(rest[0] ?? 0));
	process.stdout.write(`The documentation is at ${address}/ until you press Ctrl-C.\n`);
}
