import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { renderDiffs } from "../../../../../src/tools/lsp/rendering/render-diff.ts";
import { toFileUri } from "../../../../../src/tools/lsp/workspace/file-uri.ts";
import { planWorkspaceEdit } from "../../../../../src/tools/lsp/workspace/plan-workspace-edit.ts";
import { writeEditsAllOrNone } from "../../../../../src/tools/lsp/workspace/write-edits.ts";
import { createWorkspace, type LspWorkspace } from "../../../../helpers/lsp-workspace.ts";

let workspace: LspWorkspace;
beforeEach(() => {
	workspace = createWorkspace();
});
afterEach(() => workspace.remove());

const at = (line: number, from: number, endLine: number, to: number) => ({
	start: { line, character: from },
	end: { line: endLine, character: to },
});
const toShown = (path: string) => path.slice(workspace.directory.length + 1);
const numbered = (count: number) => Array.from({ length: count }, (_, index) => `line ${index}\n`).join("");

describe("renderDiff", () => {
	it.each([
		["one word", [{ range: at(3, 0, 3, 4), newText: "LINE" }]],
		[
			"two words on one line",
			[
				{ range: at(3, 0, 3, 4), newText: "A" },
				{ range: at(3, 5, 3, 6), newText: "B" },
			],
		],
		[
			"places close together and far apart",
			[1, 4, 20].map((line) => ({ range: at(line, 0, line, 4), newText: "x" })),
		],
		[
			"lines added",
			[
				{ range: at(2, 0, 2, 0), newText: "new\nnewer\n" },
				{ range: at(25, 0, 25, 4), newText: "z" },
			],
		],
		[
			"lines removed",
			[
				{ range: at(2, 0, 5, 0), newText: "" },
				{ range: at(25, 0, 25, 4), newText: "z" },
			],
		],
		["the last line", [{ range: at(29, 0, 29, 4), newText: "end" }]],
	])("is a diff that git applies to the same result: %s", async (_name, edits) => {
		const file = workspace.write("a.txt", numbered(30));
		const plan = await planWorkspaceEdit({ changes: { [toFileUri(file)]: edits } }, workspace.directory);
		const diff = renderDiffs(plan.files, toShown);
		execFileSync("git", ["apply", "-"], { cwd: workspace.directory, input: `${diff}\n` });
		expect(readFileSync(file, "utf8")).toBe(plan.files[0]?.newText);
	});
});

// Review of 5305cef: git refused the diff of a file without a final newline.
describe("a diff of a file without a final newline", () => {
	it.each([
		["the last line changes", "one\ntwo", [{ range: at(1, 0, 1, 3), newText: "TWO" }]],
		["a line near the end changes", "one\ntwo\nthree", [{ range: at(1, 0, 1, 3), newText: "TWO" }]],
		["the newline is added", "one\ntwo", [{ range: at(1, 3, 1, 3), newText: "\n" }]],
		["the newline is removed", "one\ntwo\n", [{ range: at(1, 3, 2, 0), newText: "" }]],
		["there is one line only", "one", [{ range: at(0, 0, 0, 3), newText: "ONE" }]],
		["lines end in CRLF", "one\r\ntwo", [{ range: at(0, 0, 0, 3), newText: "ONE" }]],
		["everything is removed", "one", [{ range: at(0, 0, 0, 3), newText: "" }]],
	])("is applied by git: %s", async (_name, text, edits) => {
		const file = workspace.write("a.txt", text);
		const plan = await planWorkspaceEdit({ changes: { [toFileUri(file)]: edits } }, workspace.directory);
		const diff = renderDiffs(plan.files, toShown);
		execFileSync("git", ["apply", "-"], { cwd: workspace.directory, input: `${diff}\n` });
		expect(readFileSync(file, "utf8")).toBe(plan.files[0]?.newText);
	});
});

describe("planWorkspaceEdit", () => {
	it("keeps CRLF and counts UTF-16 units", async () => {
		const file = workspace.write("a.ts", "const s = '🎉'; area\r\narea\r\n");
		const edits = [
			{ range: at(0, 16, 0, 20), newText: "x" },
			{ range: at(1, 0, 1, 4), newText: "x" },
		];
		const plan = await planWorkspaceEdit(
			{ documentChanges: [{ textDocument: { uri: toFileUri(file), version: 1 }, edits }] },
			workspace.directory,
		);
		expect(plan.files[0]?.newText).toBe("const s = '🎉'; x\r\nx\r\n");
	});

	it("names what cannot be applied", async () => {
		const outside = createWorkspace();
		const file = outside.write("b.ts", "area");
		const plan = await planWorkspaceEdit(
			{
				documentChanges: [
					{ kind: "delete", uri: "file:///x" },
					{ textDocument: { uri: toFileUri(file) }, edits: [{ range: at(0, 0, 0, 4), newText: "x" }] },
				],
			},
			workspace.directory,
		);
		outside.remove();
		expect(plan.obstacles).toEqual([
			"it would delete the file file:///x",
			`${file} is outside the workspace`,
		]);
	});

	it("refuses edits that overlap", async () => {
		const file = workspace.write("a.ts", "abcdef");
		const edits = [
			{ range: at(0, 0, 0, 4), newText: "x" },
			{ range: at(0, 2, 0, 5), newText: "y" },
		];
		await expect(
			planWorkspaceEdit({ changes: { [toFileUri(file)]: edits } }, workspace.directory),
		).rejects.toThrow(/overlap/);
	});
});

describe("writeEditsAllOrNone", () => {
	it("writes nothing when one of the files changed meanwhile", async () => {
		const first = workspace.write("a.txt", "old");
		const second = workspace.write("b.txt", "somebody else");
		const edits = [first, second].map((file) => ({ file, oldText: "old", newText: "new" }));
		await expect(writeEditsAllOrNone(edits)).rejects.toThrow(/b\.txt changed while/);
		expect(readFileSync(first, "utf8")).toBe("old");
		expect(execFileSync("ls", ["-A", workspace.directory]).toString()).toBe("a.txt\nb.txt\n");
	});

	it("writes nothing when one of the files is missing", async () => {
		const first = workspace.write("a.txt", "old");
		const edits = [
			{ file: first, oldText: "old", newText: "new" },
			{ file: join(workspace.directory, "missing/b.txt"), oldText: "", newText: "new" },
		];
		await expect(writeEditsAllOrNone(edits)).rejects.toThrow();
		expect(readFileSync(first, "utf8")).toBe("old");
	});
});
