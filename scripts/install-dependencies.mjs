// Makes a fresh clone ready: installs packages only when they are missing or the lock file changed.
// Runs on whatever Node starts it (20 and up), so it uses nothing newer.
import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";

export const root = fileURLToPath(new URL("..", import.meta.url));
const PROGRESS_MS = 5000;
const stampFor = (directory) => join(directory, "node_modules", ".deputize-installed");

function fingerprint(directory) {
	const hash = createHash("sha256");
	for (const name of ["package.json", "package-lock.json"]) {
		const file = join(directory, name);
		if (existsSync(file)) hash.update(readFileSync(file));
	}
	return hash.digest("hex");
}

/**
 * `directory` is a folder with its own package.json; `why` completes the sentence "deputize: installing …". Several folders
 * can be installed at the same time.
 */
export async function installDependencies(directory, why) {
	const stamp = stampFor(directory);
	const wanted = fingerprint(directory);
	if (existsSync(stamp) && readFileSync(stamp, "utf8") === wanted) return;
	process.stderr.write(`deputize: installing ${why} (once)…\n`);
	const started = Date.now();
	const packages = () => readdirSync(join(directory, "node_modules"), { withFileTypes: true }).length;
	// Somebody waits for more than a minute: a line now and then says that it goes on.
	const progress = setInterval(() => {
		const seconds = Math.round((Date.now() - started) / 1000);
		const there = existsSync(join(directory, "node_modules")) ? `, ${packages()} directories so far` : "";
		process.stderr.write(`deputize: still installing ${why}, ${seconds} s${there}\n`);
	}, PROGRESS_MS);
	const { status, output } = await runNpmInstall(directory);
	clearInterval(progress);
	if (status !== 0) {
		process.stderr.write(`deputize: npm install failed in ${directory}\n${output}\n`);
		process.exit(status ?? 1);
	}
	mkdirSync(join(directory, "node_modules"), { recursive: true });
	writeFileSync(stamp, wanted);
	process.stderr.write(`deputize: installed ${why} in ${((Date.now() - started) / 1000).toFixed(0)} s\n`);
}

async function runNpmInstall(directory) {
	const npm = spawn(
		"npm",
		["install", "--no-audit", "--no-fund", "--prefer-offline", "--no-save", "--loglevel=error"],
		{
			cwd: directory,
			stdio: ["ignore", "pipe", "pipe"],
			shell: process.platform === "win32",
			// npm start exports its own configuration as npm_config_*; a nested npm would repeat its warnings.
			env: { ...process.env, npm_config_engine_strict: "false", npm_config_update_notifier: "false" },
		},
	);
	// When another folder's installation fails, this one must not go on alone.
	const stop = () => npm.kill();
	process.once("exit", stop);
	try {
		const [stdout, stderr, [status]] = await Promise.all([
			text(npm.stdout),
			text(npm.stderr),
			once(npm, "close"),
		]);
		return { status, output: stdout + stderr };
	} catch (error) {
		return { status: 1, output: error.message };
	} finally {
		process.off("exit", stop);
	}
}

/** The Node that came with the `node` package: pi needs 22.19 or newer, the machine may have an older one. */
export function bundledNode() {
	const candidate = join(
		root,
		"node_modules",
		"node",
		"bin",
		process.platform === "win32" ? "node.exe" : "node",
	);
	return existsSync(candidate) ? candidate : process.execPath;
}
