// Compiles src/ to dist/ when something changed. Comparing file times takes milliseconds; tsc takes seconds.
// Types are not checked here but by `npm run typecheck`: the first start of a fresh clone should not wait for it.
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { bundledNode, root } from "./install-dependencies.mjs";

const cache = join(root, "node_modules", ".cache", "deputize");
const stamp = join(cache, "built");

function newestChange(directory) {
	let newest = statSync(directory).mtimeMs;
	for (const entry of readdirSync(directory, { withFileTypes: true })) {
		const path = join(directory, entry.name);
		newest = Math.max(newest, entry.isDirectory() ? newestChange(path) : statSync(path).mtimeMs);
	}
	return newest;
}

export function build() {
	const inputs = ["tsconfig.json", "tsconfig.build.json", "package.json"].map(
		(name) => statSync(join(root, name)).mtimeMs,
	);
	const newest = Math.max(newestChange(join(root, "src")), ...inputs);
	if (existsSync(stamp) && existsSync(join(root, "dist", "index.js")) && statSync(stamp).mtimeMs > newest)
		return;
	if (!existsSync(join(root, "dist"))) rmSync(join(cache, "build.tsbuildinfo"), { force: true });
	process.stderr.write("deputize: compiling…\n");
	const started = Date.now();
	const tsc = spawnSync(
		bundledNode(),
		[join(root, "node_modules", "typescript", "bin", "tsc"), "-p", "tsconfig.build.json", "--noCheck"],
		{
			cwd: root,
			stdio: ["ignore", "inherit", "inherit"],
		},
	);
	if (tsc.status !== 0) process.exit(tsc.status ?? 1);
	mkdirSync(cache, { recursive: true });
	// The stamp carries the time the build began, so that a file saved while tsc ran is compiled next time.
	writeFileSync(stamp, "");
	process.stderr.write(`deputize: compiled in ${((Date.now() - started) / 1000).toFixed(1)} s\n`);
}

if (process.argv[1] === new URL(import.meta.url).pathname) build();
