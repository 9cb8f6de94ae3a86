// Places the bundle of a newer pi below this folder's node_modules. Runs on whatever Node starts it (20 and up).
import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { installDependencies } from "../../../scripts/install-dependencies.mjs";

const here = import.meta.dirname;
const { name, version, integrity } = JSON.parse(readFileSync(join(here, "package.json"), "utf8")).bundled;
const place = join(here, "node_modules", name);

/** A failure is said and not thrown: the tests that need this pi decide what its absence means. */
export async function installNewerPi() {
	// First the two packages: npm removes what it did not place itself.
	await installDependencies(here, "what a newer pi needs");
	if (readVersion() === version) return;
	process.stderr.write(`deputize: fetching pi ${version} for the tests (once)…\n`);
	const work = mkdtempSync(join(here, "node_modules", ".fetching-"));
	try {
		await run("npm", ["pack", `${name}@${version}`, "--silent", "--pack-destination", work]);
		const tarball = join(work, `${name.replace("@", "").replace("/", "-")}-${version}.tgz`);
		const digest = `sha512-${createHash("sha512").update(readFileSync(tarball)).digest("base64")}`;
		if (digest !== integrity) throw new Error(`${name}@${version} is ${digest}, expected ${integrity}`);
		await run("tar", ["-xzf", tarball, "-C", work]);
		rmSync(place, { recursive: true, force: true });
		mkdirSync(dirname(place), { recursive: true });
		renameSync(join(work, "package"), place);
	} catch (error) {
		process.stderr.write(`deputize: pi ${version} could not be fetched: ${error.message}\n`);
	} finally {
		rmSync(work, { recursive: true, force: true });
	}
}

function readVersion() {
	const manifest = join(place, "package.json");
	return existsSync(manifest) ? JSON.parse(readFileSync(manifest, "utf8")).version : undefined;
}

/** The error says what the command printed. */
const run = (command, args) => promisify(execFile)(command, args, { cwd: here });
