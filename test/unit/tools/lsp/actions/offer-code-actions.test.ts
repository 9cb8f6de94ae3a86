import { join } from "node:path";
import { expect, it } from "vitest";
import {
	callLsp,
	createTestTool,
	createWorkspace,
	fakeServerConfig,
	readFakeLog,
} from "../../../../helpers/lsp-workspace.ts";

const at = (line: number, character: number) => ({ line, character });

it.each([
	["a line alone: all of it", { line: 2 }, { start: at(1, 0), end: at(1, 9) }],
	["a line and a column: that place", { line: 2, column: 3 }, { start: at(1, 2), end: at(1, 2) }],
	["an end: all lines up to its end", { line: 1, endLine: 3 }, { start: at(0, 0), end: at(2, 5) }],
	[
		"an end with its column",
		{ line: 1, column: 2, endLine: 2, endColumn: 4 },
		{ start: at(0, 1), end: at(1, 3) },
	],
])("code actions are asked for %s", async (_name, place, range) => {
	const workspace = createWorkspace();
	workspace.write("a.fake", "define a\nline two.\nthree\n");
	const log = join(workspace.directory, "server.log");
	const tool = createTestTool({ config: fakeServerConfig("well", log) });
	const outcome = await callLsp(tool, workspace, { action: "codeAction", file: "a.fake", ...place });
	await tool.close();
	const asked = readFakeLog(log).filter(({ method }) => method === "textDocument/codeAction");
	workspace.remove();
	expect(outcome.text).toContain(`codeAction at a.fake:${place.line}: 1 offered\n  [quickfix] Mend it`);
	expect(asked).toMatchObject([{ params: { range } }]);
});
