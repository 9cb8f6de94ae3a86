import { chmodSync, existsSync, readFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import {
	callLsp,
	createTestTool,
	createWorkspace,
	fakeServerConfig,
	isGone,
	type LspWorkspace,
	placesOf,
	readFakeLog,
	startedServers,
	type TestToolOptions,
} from "../../../helpers/lsp-workspace.ts";

let workspace: LspWorkspace;
let log: string;
const closing: (() => Promise<void>)[] = [];

beforeEach(() => {
	workspace = createWorkspace();
	log = join(workspace.directory, "server.log");
	workspace.write("a.fake", "define area\nuse area\n");
	workspace.write("b.fake", "use area\n");
});
afterEach(async () => {
	await Promise.all(closing.splice(0).map((close) => close()));
	for (const pid of startedServers(log)) expect(isGone(pid)).toBe(true);
	workspace.remove();
});

function createTool(behaviour = "well", options: TestToolOptions = {}) {
	const tool = createTestTool({
		...options,
		config: { ...fakeServerConfig(behaviour, log), ...options.config },
	});
	closing.push(tool.close);
	return tool;
}

describe("what is allowed", () => {
	it.each(["rename", "codeAction", "restart"])(
		"refuses %s in a child, whatever is allowed",
		async (action) => {
			const tool = createTool("well", {
				mode: "child",
				allowedActions: [action],
				config: { allowMutatingActions: true },
			});
			const outcome = await callLsp(tool, workspace, { action, file: "a.fake", line: 1, newName: "x" });
			expect(outcome.isError).toBe(true);
			expect(outcome.text).toMatch(
				new RegExp(`^LSP_ACTION_NOT_ALLOWED: ${action} is never available in a subagent`),
			);
			expect(startedServers(log)).toEqual([]);
		},
	);

	it("refuses an action that is not in the list, and names those that are", async () => {
		const tool = createTool("well", { mode: "child", allowedActions: ["definition", "hover"] });
		const outcome = await callLsp(tool, workspace, { action: "references", query: "area" });
		expect(outcome.text).toBe(
			"LSP_ACTION_NOT_ALLOWED: references is not in the allowed lsp actions. Allowed here: definition, hover.",
		);
		expect(tool.parameters).toMatchObject({
			properties: { action: { description: "One of: definition, hover" } },
		});
	});

	it("refuses everything when switched off", async () => {
		const tool = createTool("well", { config: { enabled: false } });
		expect((await callLsp(tool, workspace, { action: "servers" })).text).toMatch(/lsp.enabled is false/);
	});

	it("refuses files outside the workspace, also through a link, and files that are not there", async () => {
		const tool = createTool();
		symlinkSync("/etc/hostname", join(workspace.directory, "link.fake"));
		const ask = async (file: string) => (await callLsp(tool, workspace, { action: "symbols", file })).text;
		expect(await ask("link.fake")).toMatch(/outside the workspace/);
		expect(await ask("/etc/hostname")).toMatch(/outside the workspace/);
		expect(await ask("nothing.fake")).toMatch(/INVALID_INPUT: There is no file nothing\.fake/);
		expect(await ask(".")).toMatch(/not a regular file/);
		expect(startedServers(log)).toEqual([]);
	});

	it("does not run a program of a project that is not trusted, until it is", async () => {
		const marker = join(workspace.directory, "ran");
		const program = workspace.write(
			"node_modules/.bin/bash-language-server",
			`#!/bin/sh\necho > ${marker}\n`,
		);
		chmodSync(program, 0o755);
		workspace.write("a.sh", "true\n");
		let isTrusted = false;
		const tool = createTool("well", { projectTrusted: () => isTrusted, env: { PATH: "/nowhere:/bin" } });
		const refused = await callLsp(tool, workspace, { action: "symbols", file: "a.sh" });
		expect(refused.text).toMatch(/^LSP_SERVER_NOT_FOUND: bash exists only inside the project/);
		expect(existsSync(marker)).toBe(false);
		isTrusted = true;
		await callLsp(tool, workspace, { action: "symbols", file: "a.sh" });
		expect(existsSync(marker)).toBe(true);
	});

	it("says which file types have a server when this one has none", async () => {
		workspace.write("x.unknown", "");
		const outcome = await callLsp(createTool(), workspace, { action: "symbols", file: "x.unknown" });
		expect(outcome.text).toMatch(/^LSP_SERVER_NOT_FOUND: No language server is configured for x\.unknown/);
	});
});

describe("a call", () => {
	it("tells the server our process, so that it can end with us", async () => {
		await callLsp(createTool(), workspace, { action: "hover", file: "a.fake", line: 1, column: 8 });
		const initialize = readFakeLog(log).find(({ method }) => method === "initialize");
		expect(initialize?.params).toMatchObject({ processId: process.pid, rootPath: workspace.directory });
	});

	it("pages, counts and groups", async () => {
		workspace.write("a.fake", `define area\n${"use area\n".repeat(120)}`);
		const tool = createTool();
		const first = await callLsp(tool, workspace, { action: "references", file: "a.fake", query: "area" });
		expect(first.text).toMatch(
			/^references of area: 121 in 1 file\na\.fake \(50\)\n {2}1:8 {2}define area\n/,
		);
		expect(first.text).toMatch(/Showing 1-50 of 121\. Next page: offset=50$/);
		const last = await callLsp(tool, workspace, {
			action: "references",
			file: "a.fake",
			query: "area",
			offset: 120,
		});
		expect(last.text).toMatch(/\n {2}121:5 {2}use area\nShowing 121-121 of 121\.$/);
	});

	it("uses the nearest name when the column misses, and says so", async () => {
		const outcome = await callLsp(createTool(), workspace, {
			action: "hover",
			file: "a.fake",
			line: 2,
			column: 99,
		});
		expect(outcome.text).toMatch(/hover of area at a\.fake:2:9\nword area/);
		workspace.write("c.fake", "    area    \n");
		const moved = await callLsp(createTool(), workspace, {
			action: "hover",
			file: "c.fake",
			line: 1,
			column: 1,
		});
		expect(moved.text).toMatch(/at c\.fake:1:5\nword area\nColumn 1 is not on a name; "area" was used\./);
	});

	it("says how many lines a file has when the line does not exist", async () => {
		const outcome = await callLsp(createTool(), workspace, { action: "hover", file: "a.fake", line: 30 });
		expect(outcome.text).toBe("INVALID_INPUT: a.fake has 3 lines; there is no line 30.");
	});

	it("finds a symbol by name alone", async () => {
		const outcome = await callLsp(createTool(), workspace, { action: "definition", query: "area" });
		expect(placesOf(outcome)).toEqual(["a.fake:1:8"]);
		const none = await callLsp(createTool(), workspace, { action: "definition", query: "nowhere" });
		expect(none.text).toMatch(/No source file in the workspace contains "nowhere"/);
	});

	it("lists the symbols when a name is ambiguous, and takes one by number", async () => {
		workspace.write("c.fake", "define area\n");
		const tool = createTool();
		const outcome = await callLsp(tool, workspace, { action: "references", query: "area#2" });
		expect(outcome.isError).toBe(false);
		workspace.write("c.fake", "define other\ndefine area\n");
		expect((await callLsp(tool, workspace, { action: "references", query: "area#9" })).text).toMatch(/not 9/);
	});
});

describe("freshness", () => {
	it("answers for what is on disk, not for what was opened", async () => {
		const tool = createTool();
		await callLsp(tool, workspace, { action: "references", file: "a.fake", query: "area" });
		workspace.write("a.fake", "define other\nuse other\nuse other\n");
		const outcome = await callLsp(tool, workspace, { action: "references", file: "a.fake", query: "other" });
		expect(placesOf(outcome)).toEqual(["a.fake:1:8", "a.fake:2:5", "a.fake:3:5"]);
	});

	it("tells the server about files it has not opened", async () => {
		const tool = createTool();
		await callLsp(tool, workspace, { action: "references", file: "a.fake", query: "area" });
		workspace.write("new.fake", "use area\n");
		const outcome = await callLsp(tool, workspace, { action: "references", file: "a.fake", query: "area" });
		expect(placesOf(outcome)).toContain("new.fake:1:5");
		const told = readFakeLog(log).filter(({ method }) => method === "workspace/didChangeWatchedFiles");
		expect(JSON.stringify(told)).toMatch(/new\.fake","type":1/);
	});
});

describe("rename", () => {
	const rename = { action: "rename", file: "a.fake", line: 1, column: 8, newName: "surface" };

	it("shows the diff and changes nothing", async () => {
		const outcome = await callLsp(createTool(), workspace, rename);
		expect(outcome.text).toMatch(
			/rename of area to surface: 2 changes in 1 file \(not applied\)\n--- a\/a\.fake/,
		);
		expect(readFileSync(join(workspace.directory, "a.fake"), "utf8")).toBe("define area\nuse area\n");
	});

	it("does not apply without the user's permission", async () => {
		const outcome = await callLsp(createTool(), workspace, { ...rename, apply: true });
		expect(outcome.text).toMatch(/^LSP_ACTION_NOT_ALLOWED: Applying an edit needs lsp\.allowMutatingActions/);
		expect(readFileSync(join(workspace.directory, "a.fake"), "utf8")).toBe("define area\nuse area\n");
	});

	it("hands the edits to the host when it may apply", async () => {
		const applied: unknown[] = [];
		const tool = createTool("well", {
			config: { allowMutatingActions: true },
			applyEdits: async (edits) => {
				applied.push(...edits);
			},
		});
		const outcome = await callLsp(tool, workspace, { ...rename, apply: true });
		expect(outcome.text).toMatch(/\(applied\)/);
		expect(applied).toEqual([
			{
				file: join(workspace.directory, "a.fake"),
				oldText: "define area\nuse area\n",
				newText: "define surface\nuse surface\n",
			},
		]);
	});

	it("says that nothing was written when the host cannot write", async () => {
		const tool = createTool("well", {
			config: { allowMutatingActions: true },
			applyEdits: () => Promise.reject(new Error("disk full")),
		});
		const outcome = await callLsp(tool, workspace, { ...rename, apply: true });
		expect(outcome.text).toBe(
			"LSP_EDIT_FAILED: The files could not be written, and none was changed: disk full",
		);
	});

	it("writes the files itself when the host has no queue", async () => {
		const tool = createTool("well", { config: { allowMutatingActions: true } });
		await callLsp(tool, workspace, { ...rename, apply: true });
		expect(readFileSync(join(workspace.directory, "a.fake"), "utf8")).toBe("define surface\nuse surface\n");
	});
});
