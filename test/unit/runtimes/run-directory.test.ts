import {
	existsSync,
	mkdirSync,
	mkdtempSync,
	readdirSync,
	rmSync,
	statSync,
	symlinkSync,
	writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createRunDirectory, listLeftRunDirectories } from "../../../src/runtimes/run-directory.ts";
import { testDirectory } from "../../helpers/test-directory.ts";

describe.skipIf(process.platform !== "linux")("the directory of a run", () => {
	let agentDirectory = "";
	let runs = "";
	beforeEach(() => {
		agentDirectory = mkdtempSync(join(testDirectory(), "runs-"));
		runs = join(agentDirectory, "deputize", "runs");
		mkdirSync(runs, { recursive: true });
	});
	afterEach(() => rmSync(agentDirectory, { recursive: true, force: true }));

	it("is private, writes each file once, and is gone when it is removed", () => {
		const run = createRunDirectory(agentDirectory);
		const file = run.write("prompt.md", "secret");
		expect(statSync(run.path).mode & 0o777).toBe(0o700);
		expect(statSync(file).mode & 0o777).toBe(0o600);
		expect(() => run.write("prompt.md", "again")).toThrow("EEXIST");
		run.remove();
		expect(existsSync(run.path)).toBe(false);
	});

	it("sweeps what a killed process left, and nothing else", () => {
		const left = join(runs, "4194305-1-abc");
		mkdirSync(left);
		writeFileSync(join(runs, "notes.txt"), "");
		symlinkSync(agentDirectory, join(runs, "4194305-1-link"));
		const living = createRunDirectory(agentDirectory);
		expect(existsSync(left)).toBe(false);
		expect(listLeftRunDirectories(agentDirectory)).toEqual([]);
		expect(readdirSync(runs)).toHaveLength(3);
		living.remove();
	});
});
