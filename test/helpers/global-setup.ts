import { execFileSync } from "node:child_process";
import { readdirSync } from "node:fs";
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
		const left = readdirSync(directory).filter((name) => !SHARED_CACHES.includes(name));
		remove();
		if (left.length > 0) process.stderr.write(`Left behind by tests in TMPDIR: ${left.join(", ")}\n`);
	};
}
