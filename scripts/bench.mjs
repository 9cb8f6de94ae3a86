// `npm run bench…`: make the clone and the bench's own folder ready, then run it with the bundled Node.
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { build } from "./build.mjs";
import { bundledNode, installDependencies, root } from "./install-dependencies.mjs";

const [file, ...args] = process.argv.slice(2);
const script = join(root, file);
const folder = dirname(script);

await installDependencies(root, "dependencies");
await installDependencies(join(root, "test", "peers"), "what the benches talk to");
if (existsSync(join(folder, "package.json")))
	await installDependencies(folder, "the packages to compare with");
await build();

const run = spawnSync(bundledNode(), [script, ...args], { cwd: root, stdio: "inherit" });
process.exitCode = run.status ?? 1;
