import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { readUserNotes } from "../../../src/delegation/read-context-files.ts";
import { createTestHome, type TestHome } from "../../helpers/test-home.ts";

let home: TestHome;
beforeEach(() => {
	home = createTestHome();
});
afterEach(() => home.remove());

describe("readUserNotes", () => {
	it("reads a small file, and nothing that is too long or empty", () => {
		expect(readUserNotes(home.agentDirectory)).toBeUndefined();
		home.write(join(home.agentDirectory, "AGENTS.md"), " Be brief.\n");
		expect(readUserNotes(home.agentDirectory)).toBe("Be brief.");
		home.write(join(home.agentDirectory, "AGENTS.md"), " \n");
		expect(readUserNotes(home.agentDirectory)).toBeUndefined();
		home.write(join(home.agentDirectory, "AGENTS.md"), "x".repeat(32 * 1024 + 1));
		expect(readUserNotes(home.agentDirectory)).toBeUndefined();
	});

	it("passes over a directory of that name instead of failing every delegation", () => {
		mkdirSync(join(home.agentDirectory, "AGENTS.md"), { recursive: true });
		expect(readUserNotes(home.agentDirectory)).toBeUndefined();
	});
});
