import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, renameSync } from "node:fs";
import { join, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { testDirectory } from "./test-directory.ts";

const ROOT = resolve(import.meta.dirname, "../..");
const PACKING_MS = 180_000;

/**
 * The tarball that `npm publish` would send, made once for a whole test run: packing changes package.json for a moment,
 * so two processes must not do it at the same time.
 */
export async function packPackage(): Promise<string> {
	const directory = join(testDirectory(), "packed");
	const tarball = join(directory, "deputize.tgz");
	if (isFirst(directory)) {
		const made = join(directory, "made");
		mkdirSync(made);
		execFileSync("npm", ["pack", "--silent", "--pack-destination", made], { cwd: ROOT, stdio: "pipe" });
		renameSync(join(made, readdirSync(made)[0] ?? ""), tarball);
	}
	for (const deadline = Date.now() + PACKING_MS; !existsSync(tarball); await sleep(100)) {
		if (Date.now() > deadline) throw new Error("npm pack did not finish in time");
	}
	return tarball;
}

function isFirst(directory: string): boolean {
	try {
		mkdirSync(directory);
		return true;
	} catch {
		return false;
	}
}
