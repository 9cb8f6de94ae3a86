import { chmodSync, mkdirSync, readdirSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { createRunDirectory, listLeftRunDirectories } from "../../src/runtimes/run-directory.ts";
import type { LspTool } from "../../src/tools/lsp/create-lsp-tool.ts";
import { serveLspToChildren } from "../../src/tools/lsp/sharing/serve-children.ts";
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

describe("temporary files", () => {
	let temporary: string;
	beforeEach(() => {
		temporary = join(home.home, "temporary");
		mkdirSync(temporary);
		vi.stubEnv("TMPDIR", temporary);
	});
	afterEach(() => vi.unstubAllEnvs());
	const modeOf = (path: string): number => statSync(path).mode & 0o777;

	it.each([
		["others can write to the one of runs", () => chmodSync(runs, 0o777)],
		["the one of runs is a link", () => replaceByLink(runs)],
	])("are in the system's directory, closed to others, when %s", (_name, spoil) => {
		spoil();
		chmodSync(temporary, 0o1777);
		const names = [createRunDirectory(home.agentDirectory), createRunDirectory(home.agentDirectory)];
		for (const { path, remove } of names) {
			expect(dirname(path)).toBe(temporary);
			expect(modeOf(path)).toBe(0o700);
			remove();
		}
		expect(names[0]?.path).not.toBe(names[1]?.path);
		expect(readdirSync(temporary)).toEqual([]);
	});

	it("are nowhere when somebody else could replace them there too, and the run says why", () => {
		chmodSync(runs, 0o777);
		chmodSync(temporary, 0o777);
		expect(() => createRunDirectory(home.agentDirectory)).toThrow(
			`${temporary} is no place for temporary files: others could replace what is in it.`,
		);
		expect(readdirSync(temporary)).toEqual([]);
	});

	it("are a socket in a directory that only we can enter, also when its path is too long for the run's own", async () => {
		const long = join(home.home, "long".repeat(30));
		const service = await serveLspToChildren({} as LspTool, { directory: long });
		try {
			expect(dirname(dirname(service.socketPath))).toBe(temporary);
			expect([modeOf(dirname(service.socketPath)), modeOf(service.socketPath)]).toEqual([0o700, 0o600]);
		} finally {
			await service.close();
		}
		expect(readdirSync(temporary)).toEqual([]);
		chmodSync(temporary, 0o777);
		await expect(serveLspToChildren({} as LspTool, { directory: long })).rejects.toThrow("no place");
	});

	function replaceByLink(path: string): void {
		rmSync(path, { recursive: true });
		mkdirSync(join(home.home, "elsewhere"));
		symlinkSync(join(home.home, "elsewhere"), path);
	}
});
