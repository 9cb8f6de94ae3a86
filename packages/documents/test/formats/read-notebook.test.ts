import { describe, expect, it } from "vitest";
import { readNotebook } from "../../formats/read-notebook.ts";

const notebook = (cells: unknown[], metadata: object = { language_info: { name: "python" } }) =>
	Buffer.from(JSON.stringify({ nbformat: 4, metadata, cells }));
const codeCell = (source: unknown, ...outputs: unknown[]) => ({ cell_type: "code", source, outputs });
const read = (...cells: unknown[]) => readNotebook(notebook(cells)).markdown;

describe("readNotebook", () => {
	it("keeps Markdown cells and fences code with its language", () => {
		const markdown = read(
			{ cell_type: "markdown", source: ["# Title\n", "text"] },
			codeCell("x = 1\nprint(x)"),
		);
		expect(markdown).toBe("# Title\ntext\n\n```python\nx = 1\nprint(x)\n```");
	});

	it.each([
		["printed text", { output_type: "stream", text: ["a\n", "b\n"] }, "Output:\n\n```\na\nb\n```"],
		["a value", { output_type: "execute_result", data: { "text/plain": "42" } }, "Output:\n\n```\n42\n```"],
		[
			"a table as HTML",
			{
				output_type: "display_data",
				data: { "text/html": "<table><tr><th>a</th><th>b</th></tr></table>", "text/plain": "x" },
			},
			"| a | b |\n| --- | --- |",
		],
		["Markdown", { output_type: "display_data", data: { "text/markdown": "**m**" } }, "**m**"],
		[
			"an error without its colours",
			{ output_type: "error", ename: "E", evalue: "v", traceback: ["\u001b[31mE: v\u001b[0m"] },
			"Output:\n\n```\nE: v\n```",
		],
		[
			"a picture by its type",
			{ output_type: "display_data", data: { "image/png": "AAAA" } },
			"*(output: image/png)*",
		],
	])("shows %s below its cell", (_what, output, markdown) => {
		expect(read(codeCell("f()", output))).toBe(`\`\`\`python\nf()\n\`\`\`\n\n${markdown}`);
	});

	it("reads the older form with worksheets and headings", () => {
		const old = {
			nbformat: 3,
			metadata: {},
			worksheets: [
				{
					cells: [
						{ cell_type: "heading", level: 2, source: "Old" },
						{ cell_type: "code", language: "python", input: "1", outputs: [] },
					],
				},
			],
		};
		expect(readNotebook(Buffer.from(JSON.stringify(old))).markdown).toBe("## Old\n\n```\n1\n```");
	});

	it.each([
		["9e8", 9e8, "###### Deep"],
		["less than one", -3, "# Deep"],
	])("keeps a heading of level %s within what Markdown has", (_what, level, markdown) => {
		expect(read({ cell_type: "heading", level, source: "Deep" })).toBe(markdown);
	});

	it("takes the language for a word, not for Markdown", () => {
		const bytes = notebook([codeCell("1")], { language_info: { name: "py\n# thon" } });
		expect(readNotebook(bytes).markdown).toBe("```py#thon\n1\n```");
	});

	it("ignores cells that are not cells", () => {
		expect(read(null, 3, "x", { cell_type: "code", source: 5, outputs: "no" })).toBe("");
	});

	it("calls a notebook that is cut off damaged", () => {
		const bytes = notebook([codeCell("x")]);
		expect(() => readNotebook(bytes.subarray(0, bytes.length - 5))).toThrow(
			expect.objectContaining({ code: "DOCUMENT_DAMAGED" }),
		);
	});
});
