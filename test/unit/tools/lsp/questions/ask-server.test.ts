import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { LspTool } from "../../../../../src/tools/lsp/create-lsp-tool.ts";
import {
	callLsp,
	createTestTool,
	createWorkspace,
	fakeServerConfig,
	type LspWorkspace,
	placesOf,
	readFakeLog,
} from "../../../../helpers/lsp-workspace.ts";

let workspace: LspWorkspace;
let tool: LspTool;
let log: string;

beforeEach(() => {
	workspace = createWorkspace();
	log = join(workspace.directory, "server.log");
	workspace.write("a.fake", "define area\nuse area\n");
	workspace.write("b.fake", "define other\n");
	tool = createTestTool({ config: fakeServerConfig("pull", log) });
});
afterEach(async () => {
	await tool.close();
	workspace.remove();
});

const definition = { action: "definition", file: "a.fake", line: 2, column: 5 };

/** What the server was told from now on, without answers to it. */
function listenFromNow(): () => readonly (string | undefined)[] {
	const before = readFakeLog(log).length;
	return () =>
		readFakeLog(log)
			.slice(before)
			.map(({ method }) => method);
}

async function warmUp(): Promise<void> {
	await callLsp(tool, workspace, definition);
	await callLsp(tool, workspace, { action: "diagnostics", file: "a.fake" });
}

describe("a question to a warm server", () => {
	it.each([
		["definition", definition, "textDocument/definition"],
		["hover", { ...definition, action: "hover" }, "textDocument/hover"],
		["diagnostics", { action: "diagnostics", file: "a.fake" }, "textDocument/diagnostic"],
	])("is sent exactly once: %s", async (_name, input, method) => {
		await warmUp();
		const told = listenFromNow();
		expect((await callLsp(tool, workspace, input)).isError).toBe(false);
		expect(told()).toEqual([method]);
	});

	it("is asked again, of the new text, when the file changed just before the call", async () => {
		await warmUp();
		const told = listenFromNow();
		workspace.write("a.fake", "\n\ndefine area\nuse area\n");
		expect(placesOf(await callLsp(tool, workspace, { ...definition, line: 4 }))).toEqual(["a.fake:3:8"]);
		expect(told().filter((method) => method === "textDocument/definition")).toHaveLength(1);
		workspace.write("a.fake", "define area\nuse area\n");
		expect(placesOf(await callLsp(tool, workspace, definition))).toEqual(["a.fake:1:8"]);
	});

	it("is asked again when any other file of the workspace changed just before the call", async () => {
		await warmUp();
		workspace.write("b.fake", "define other\nuse area\n");
		const told = listenFromNow();
		const outcome = await callLsp(tool, workspace, { action: "diagnostics", file: "a.fake" });
		expect(outcome.isError).toBe(false);
		expect(told().lastIndexOf("textDocument/diagnostic")).toBeGreaterThan(
			told().indexOf("workspace/didChangeWatchedFiles"),
		);
	});

	it("is not asked when the call names a line that is gone", async () => {
		await warmUp();
		workspace.write("a.fake", "one line");
		const told = listenFromNow();
		const outcome = await callLsp(tool, workspace, definition);
		expect(outcome.text).toMatch(/has 1 lines; there is no line 2/);
		expect(told()).not.toContain("textDocument/definition");
	});

	it("of two calls at once gives each its own answer", async () => {
		await warmUp();
		const told = listenFromNow();
		const outcomes = await Promise.all([
			callLsp(tool, workspace, definition),
			callLsp(tool, workspace, definition),
		]);
		expect(outcomes.map(placesOf)).toEqual([["a.fake:1:8"], ["a.fake:1:8"]]);
		expect(told()).toEqual(["textDocument/definition", "textDocument/definition"]);
	});
});
