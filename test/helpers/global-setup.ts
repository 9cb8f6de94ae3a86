import { execFileSync } from "node:child_process";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { SHARED_CACHES } from "./shared-caches.ts";
import { openTestDirectory } from "./test-directory.ts";

/**
 * The end-to-end suites load the compiled package, exactly as a user does: compile it before any test runs. All temporary
 * files of the run are in one directory, which goes with it.
 */
export default function setup(): () => void {
	execFileSync(process.execPath, ["scripts/build.mjs"], { stdio: "inherit" });
	const { directory, remove } = openTestDirectory();
	return () => {
		const left = readdirSync(directory)
			.filter((name) => !SHARED_CACHES.includes(name))
			.flatMap((name) => [name, ...listSome(join(directory, name))]);
		remove();
		if (left.length > 0) process.stderr.write(`Left behind by tests in TMPDIR: ${left.join(", ")}\n`);
	};
}

/** Enough to see whose it is. */
function listSome(directory: string): readonly string[] {
	try {
		return readdirSync(directory, { recursive: true, encoding: "utf8" }).slice(-MAX_NAMED);
	} catch {
		return [];
	}
}

const MAX_NAMED = 8;
