import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const VARIABLE = "DEPUTIZE_TEST_DIRECTORY";

/**
 * What the processes of one test run share: a fixed name is safe inside it, and all of it goes when the run ends. A bench
 * has no such run and gets a directory of its own.
 */
export function testDirectory(): string {
	const shared = process.env[VARIABLE];
	if (shared !== undefined) return shared;
	const own = mkdtempSync(join(tmpdir(), "deputize-bench-"));
	process.env[VARIABLE] = own;
	process.once("exit", () => rmSync(own, { recursive: true, force: true }));
	return own;
}

/** Everything that looks for a temporary directory from now on, here and in programs started from here, finds this one. */
export function openTestDirectory(): { readonly directory: string; remove(): void } {
	const directory = mkdtempSync(join(tmpdir(), "deputize-tests-"));
	process.env[VARIABLE] = directory;
	process.env["TMPDIR"] = directory;
	return {
		directory,
		remove() {
			try {
				rmSync(directory, { recursive: true, force: true });
			} catch (error) {
				process.stderr.write(`${directory} could not be removed: ${String(error)}\n`);
			}
		},
	};
}
