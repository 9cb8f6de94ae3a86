// Bundles src/ into dist/ when something changed. Comparing file times takes milliseconds.
// Types are not checked here but by `npm run typecheck`: the first start of a fresh clone should not wait for it.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, readdirSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { bundledNode, root } from "./install-dependencies.mjs";

const cache = join(root, "node_modules", ".cache", "deputize");
const stamp = join(cache, "built");
const INPUTS = [
	"tsconfig.json",
	"tsconfig.types.json",
	"package.json",
	"package-lock.json",
	"scripts/bundle.mjs",
	"scripts/bundle-code.mjs",
	"scripts/compile-agents.mjs",
	"scripts/name-starts.mjs",
	"scripts/name-libraries.mjs",
	"scripts/package-index.mjs",
	"scripts/lock-parts.mjs",
	"scripts/render-licenses.mjs",
];

function newestChange(directory) {
	let newest = statSync(directory).mtimeMs;
	for (const entry of readdirSync(directory, { withFileTypes: true })) {
		const path = join(directory, entry.name);
		newest = Math.max(newest, entry.isDirectory() ? newestChange(path) : statSync(path).mtimeMs);
	}
	return newest;
}

export async function build() {
	const inputs = INPUTS.map((name) => statSync(join(root, name)).mtimeMs);
	const directories = ["src", "packages", "page", "agents"].map((name) => newestChange(join(root, name)));
	const newest = Math.max(...directories, ...inputs);
	if (existsSync(stamp) && existsSync(join(root, "dist", "index.js")) && statSync(stamp).mtimeMs > newest)
		return;
	process.stderr.write("deputize: compiling…\n");
	const startedAt = new Date();
	mkdirSync(cache, { recursive: true });
	const bundler = spawn(
		bundledNode(),
		["--disable-warning=ExperimentalWarning", join(root, "scripts", "bundle.mjs")],
		{ cwd: root, stdio: ["ignore", "inherit", "inherit"] },
	);
	const [status] = await once(bundler, "exit");
	if (status !== 0) process.exit(status ?? 1);
	writeFileSync(stamp, "");
	// The time the build began, so that a file saved meanwhile is compiled next time.
	utimesSync(stamp, startedAt, startedAt);
	process.stderr.write(`deputize: compiled in ${((Date.now() - startedAt) / 1000).toFixed(1)} s\n`);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await build();
