import { chmodSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createRunDirectory, listLeftRunDirectories } from "../../src/runtimes/run-directory.ts";
import { createTestHome, type TestHome } from "../helpers/test-home.ts";

let home: TestHome;
let runs: string;
beforeEach(() => {
	home = createTestHome();
	runs = join(home.agentDirectory, "deputize", "runs");
	mkdirSync(runs, { recursive: true });
});
afterEach(() => home.remove());

/** A process id that no process has: the largest one Linux gives out is 2^22. */
const DEAD = "4194305-1";

describe("run directories (M4)", () => {
	it("are made below the user's own agent directory, for nobody else", () => {
		const directory = createRunDirectory(home.agentDirectory);
		expect(directory.path.startsWith(`${runs}/`)).toBe(true);
		directory.write("prompt.md", "x");
		directory.remove();
		expect(readdirSync(runs)).toEqual([]);
	});

	it("of a killed run are removed by the next one", () => {
		mkdirSync(join(runs, `${DEAD}-abc`));
		expect(listLeftRunDirectories(home.agentDirectory)).toEqual([join(runs, `${DEAD}-abc`)]);
		createRunDirectory(home.agentDirectory).remove();
		expect(readdirSync(runs)).toEqual([]);
	});

	it("that are links, files or other names are not touched", () => {
		const precious = home.write("precious/file", "x");
		symlinkSync(join(home.project, "precious"), join(runs, `${DEAD}-link`));
		writeFileSync(join(runs, `${DEAD}-file`), "");
		mkdirSync(join(runs, "something-else"));
		createRunDirectory(home.agentDirectory).remove();
		expect(readdirSync(runs).sort()).toEqual([`${DEAD}-file`, `${DEAD}-link`, "something-else"]);
		expect(readdirSync(join(home.project, "precious"))).toEqual(["file"]);
		expect(precious).toContain("precious");
	});

	// Root may remove everything.
	it.skipIf(process.getuid?.() === 0)("that cannot be removed do not stop a run", () => {
		// Under the names that older versions used, too.
		const left = [runs, home.agentDirectory].flatMap((parent) =>
			[`${DEAD}-abc`, `deputize-run-${DEAD}-abc`].map((name) => join(parent, name)),
		);
		for (const directory of left) {
			mkdirSync(directory);
			writeFileSync(join(directory, "file"), "");
			chmodSync(directory, 0o555);
		}
		try {
			expect(() => createRunDirectory(home.agentDirectory).remove()).not.toThrow();
		} finally {
			for (const directory of left) chmodSync(directory, 0o755);
		}
	});

	// Only root can make a directory of somebody else.
	it.skipIf(process.getuid?.() !== 0)("of another user are left alone, and the run starts", async () => {
		const { chownSync } = await import("node:fs");
		const foreign = join(runs, `${DEAD}-abc`);
		mkdirSync(foreign);
		chownSync(foreign, 65534, 65534);
		expect(listLeftRunDirectories(home.agentDirectory)).toEqual([]);
		createRunDirectory(home.agentDirectory).remove();
		expect(readdirSync(runs)).toEqual([`${DEAD}-abc`]);
	});
});
