import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { createRunDirectory } from "../../../src/runtimes/run-directory.ts";
import { openSession } from "../../../src/sessions/open-session.ts";

let directory: string;
/** Root may write everywhere, but not even root makes a directory below a file. */
let home: string;

beforeEach(() => {
	directory = mkdtempSync(join(tmpdir(), "deputize-unwritable-"));
	home = join(directory, "home");
	writeFileSync(home, "");
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

describe("a home directory that cannot be written to", () => {
	it("gives a session that lasts as long as its run, and says so", () => {
		const session = openSession({ home, cwd: directory, agent: "explorer" });
		expect(session.notice).toContain("this run keeps no session and cannot be continued");
		expect(session.isResumable()).toBe(false);
		writeFileSync(session.plan.file, "{}\n");
		session.close();
		expect(existsSync(dirname(session.plan.file))).toBe(false);
	});

	it("and no temporary directory either is said in a sentence", () => {
		vi.stubEnv("TMPDIR", join(home, "tmp"));
		try {
			expect(() => openSession({ home, cwd: directory, agent: "explorer" })).toThrow(
				/ \(ENOTDIR\) nor the temporary directory \(ENOTDIR\) can be written to\. Set HOME or TMPDIR to a directory that can\.$/,
			);
		} finally {
			vi.unstubAllEnvs();
		}
	});

	it("still refuses to continue a session that is not there", () => {
		const sessionId = "3f0e8f0a-6a51-4f0c-9d3c-0d3a3c9a6b11";
		expect(() => openSession({ home, cwd: directory, agent: "explorer", sessionId })).toThrow(/no session/);
	});

	it("gives a run a directory that goes with it", () => {
		const run = createRunDirectory(join(home, ".pi", "agent"));
		run.write("a", "text");
		expect(readdirSync(run.path)).toEqual(["a"]);
		run.remove();
		expect(existsSync(run.path)).toBe(false);
	});
});
