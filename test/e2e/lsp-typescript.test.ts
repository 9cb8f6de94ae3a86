import { readdirSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { LspTool } from "../../src/tools/lsp/create-lsp-tool.ts";
import {
	callLsp,
	createTestTool,
	createWorkspace,
	installServer,
	installTypescript,
	type LspWorkspace,
	placesOf,
} from "../helpers/lsp-workspace.ts";

const CRLF_FILE =
	'import { area } from "./shapes.js";\r\n\r\nexport const 幅 = "幅"; export const four = area(4);\r\n';
const BROKEN_FILE = 'import { area } from "./shapes.js";\n\nexport const wrong: string = area(2);\n';
const BIG_FILE = [
	'import { area } from "./shapes.js";',
	...Array.from({ length: 4998 }, (_, index) => `export const value${index} = ${index};`),
	"export const last = area(value4997);",
	"",
].join("\n");

/** TypeScript 5 behind typescript-language-server, and the native server of TypeScript 7: the same answers. */
describe.each([
	{ name: "typescript-language-server", peer: "typescript-5", source: "typescript" },
	{ name: "the native server of TypeScript 7", peer: "typescript-7", source: "ts" },
] as const)("$name", ({ peer, source }) => {
	let outside: LspWorkspace;
	let workspace: LspWorkspace;
	let tool: LspTool;
	const ask = (input: object) => callLsp(tool, workspace, input);

	beforeAll(() => {
		workspace = createWorkspace("typescript-project");
		workspace.write("src/windows.ts", CRLF_FILE);
		workspace.write("src/big.ts", BIG_FILE);
		workspace.write("src/broken.ts", BROKEN_FILE);
		symlinkSync(join(workspace.directory, "src/shapes.ts"), join(workspace.directory, "link.ts"));
		installTypescript(workspace, peer);
		if (peer === "typescript-5") installServer(workspace, "typescript-language-server");
		outside = createWorkspace();
		tool = createTestTool({ readable: [outside.directory] });
	});
	afterAll(async () => {
		await tool.close();
		outside.remove();
		workspace.remove();
	});

	const AREA = [
		"src/big.ts:1:10",
		"src/big.ts:5000:21",
		"src/broken.ts:1:10",
		"src/broken.ts:3:30",
		"src/index.ts:1:10",
		"src/shapes.ts:7:17",
		"src/shapes.ts:8:17",
		"src/shapes.ts:9:17",
		"src/use.ts:1:10",
		"src/use.ts:3:49",
		"src/windows.ts:1:10",
		"src/windows.ts:3:43",
	];

	it("finds all references from cold: overloads, re-exports, after emoji and wide characters, in CRLF and far down", async () => {
		const outcome = await ask({ action: "references", query: "area" });
		expect(placesOf(outcome)).toEqual(AREA);
		expect(outcome.details["complete"]).toBe(true);
		expect(outcome.text).toContain(
			'src/use.ts (2)\n  1:10  import { area, Größe } from "./index.js";\n  3:49  export const party',
		);
	});

	it("finds them from any use, by position", async () => {
		expect(placesOf(await ask({ action: "references", file: "src/use.ts", line: 3, column: 49 }))).toEqual(
			AREA,
		);
		expect(
			placesOf(await ask({ action: "references", file: "src/windows.ts", line: 3, column: 44 })),
		).toEqual(AREA);
		expect(placesOf(await ask({ action: "references", file: "src/big.ts", line: 5000, column: 21 }))).toEqual(
			AREA,
		);
	});

	it("goes to the definition through a re-export, with the lines that follow", async () => {
		const outcome = await ask({ action: "definition", file: "src/use.ts", query: "Größe" });
		expect(outcome.text).toBe(
			"definition of Größe: 1 in 1 file\nsrc/shapes.ts (1)\n  13:14  export class Größe implements Shape {\n" +
				'      | \treadonly name = "größe";\n      | \treadonly 幅 = 3;\n      | \n      | \tdouble(): number {',
		);
	});

	it("goes to the definition of a method by its container, without a file", async () => {
		const outcome = await ask({ action: "definition", query: "Circle.double" });
		expect(placesOf(outcome)).toEqual(["src/shapes.ts:25:2"]);
	});

	it("lists symbols of one name, and refuses to guess whose references are meant", async () => {
		const definition = await ask({ action: "definition", query: "double" });
		expect(placesOf(definition)).toEqual(["src/shapes.ts:17:2", "src/shapes.ts:25:2"]);
		const references = await ask({ action: "references", query: "double" });
		expect(references.details["ambiguous"]).toBe(true);
		expect(references.text).toMatch(
			/method Größe\.double \| double\(\)[\s\S]*method Circle\.double[\s\S]*Ask again with file/,
		);
		expect(placesOf(await ask({ action: "references", query: "Größe.double" }))).toEqual([
			"src/shapes.ts:17:2",
			"src/use.ts:5:28",
		]);
	});

	it("takes an identifier of wide characters", async () => {
		const outcome = await ask({ action: "references", file: "src/shapes.ts", query: "Größe.幅" });
		expect(placesOf(outcome)).toEqual(["src/shapes.ts:15:11", "src/shapes.ts:18:15"]);
	});

	it("asks about a link's target, and shows where that really is", async () => {
		const outcome = await ask({ action: "symbols", file: "link.ts", query: "Circle" });
		expect(placesOf(outcome)).toContain("src/shapes.ts:22:14");
	});

	it("shows type, documentation and signatures", async () => {
		const hover = await ask({ action: "hover", file: "src/use.ts", query: "area" });
		expect(hover.text).toMatch(/^hover of area at src\/use\.ts:1:10\n/);
		expect(hover.text).toContain("area(side: number): number");
		expect(hover.text).toContain("The area of a square or of a rectangle.");
		const signature = await ask({ action: "signature", file: "src/use.ts", line: 3, column: 49 });
		expect(signature.text).toContain("area(side: number): number");
		expect(signature.text).toContain("* area(width: number, height: number): number");
	});

	it("outlines a file and searches the workspace", async () => {
		const outline = await ask({ action: "symbols", file: "src/shapes.ts" });
		expect(placesOf(outline)).toEqual(
			expect.arrayContaining([
				"src/shapes.ts:2:18",
				"src/shapes.ts:13:14",
				"src/shapes.ts:17:2",
				"src/shapes.ts:22:14",
			]),
		);
		const search = await ask({ action: "symbols", query: "value499" });
		expect(placesOf(search)).toEqual([
			"src/big.ts:501:14",
			...Array.from({ length: 8 }, (_, index) => `src/big.ts:${4992 + index}:14`),
		]);
	});

	it("reports problems, and calls clean what is clean", async () => {
		const broken = await ask({ action: "diagnostics", file: "src/broken.ts" });
		expect(broken.text).toBe(
			"diagnostics: 1 error in 1 checked file: src/broken.ts\nsrc/broken.ts (1)\n" +
				`  3:14  error [${source} 2322] Type 'number' is not assignable to type 'string'.\n` +
				"      | export const wrong: string = area(2);",
		);
		const clean = await ask({ action: "diagnostics", file: "src/shapes.ts" });
		expect(clean.text).toBe("diagnostics: no problems in 1 checked file: src/shapes.ts");
		const all = await ask({ action: "workspace-diagnostics", severity: "error" });
		expect(all.text).toMatch(/^workspace-diagnostics: 1 error in 6 checked files\nsrc\/broken\.ts \(1\)/);
	});

	it("shows a rename as a diff over all files and writes nothing", async () => {
		const before = readFileSync(join(workspace.directory, "src/shapes.ts"), "utf8");
		const outcome = await ask({
			action: "rename",
			file: "src/shapes.ts",
			query: "Größe.double",
			newName: "twofold",
		});
		expect(outcome.text).toMatch(/^rename of double to twofold: 2 changes in 2 files \(not applied\)/);
		expect(outcome.text).toContain(
			"-export const twice = größe.double();\n+export const twice = größe.twofold();",
		);
		expect(readFileSync(join(workspace.directory, "src/shapes.ts"), "utf8")).toBe(before);
	});

	it("refuses to rename the path of an import, which would no longer name its file", async () => {
		const text = readFileSync(join(workspace.directory, "src/broken.ts"), "utf8");
		const outcome = await ask({
			action: "rename",
			file: "src/broken.ts",
			line: 1,
			column: text.indexOf("shapes") + 1,
			newName: "forms",
		});
		// The native server would move the file as well, and says so.
		expect(outcome.text).toMatch(
			peer === "typescript-7"
				? /Cannot be applied: it would rename the file/
				: /: the server proposes no change\.$/,
		);
	});

	it("shows a definition outside the workspace with its whole path and its lines, and is not asked about it", async () => {
		try {
			const library = outside.write("library.ts", "// ré\nexport function far(): number {\n\treturn 1;\n}\n");
			workspace.write(
				"src/outside.ts",
				`import { far } from "${library.slice(0, -3)}.js";\nexport const here = far();\n`,
			);
			const outcome = await ask({ action: "definition", file: "src/outside.ts", line: 2, column: 22 });
			expect(placesOf(outcome)).toEqual([`${library}:2:17`]);
			expect(outcome.text).toContain("  2:17  export function far(): number {\n      | \treturn 1;");
			const direct = await ask({ action: "definition", file: library, line: 2, column: 17 });
			expect(direct.text).toMatch(/^INVALID_INPUT: .* outside the workspace/);
		} finally {
			rmSync(join(workspace.directory, "src/outside.ts"), { force: true });
		}
	});

	it("offers code actions and shows the edit of one", async () => {
		workspace.write(
			"src/actions.ts",
			'import { area, Circle } from "./shapes.js";\n\nexport const two = area(2);\n',
		);
		const offered = await ask({ action: "codeAction", file: "src/actions.ts", line: 1 });
		expect(offered.text).toMatch(/^codeAction at src\/actions\.ts:1: \d+ offered/);
		// The native server offers no fixes for unused imports.
		if (peer === "typescript-7") return;
		expect(offered.text).toContain("  [quickfix] Remove unused declaration for: 'Circle'\n");
		const edit = await ask({ action: "codeAction", file: "src/actions.ts", line: 1, title: "for: 'Circle'" });
		expect(edit.text).toContain(
			'-import { area, Circle } from "./shapes.js";\n+import { area } from "./shapes.js";',
		);
		const vague = await ask({ action: "codeAction", file: "src/actions.ts", line: 1, title: "e" });
		expect(vague.text).toMatch(/^INVALID_INPUT: title "e" names no single code action here\. Offered: "/);
	});

	it("sees a change on disk at once, in open files and in files it has not opened", async () => {
		workspace.write("src/later.ts", 'import { area } from "./shapes.js";\nexport const later = area(9);\n');
		expect(placesOf(await ask({ action: "references", query: "area" }))).toEqual(
			expect.arrayContaining(["src/later.ts:1:10", "src/later.ts:2:22"]),
		);
		workspace.write("src/later.ts", "export const later = 1;\n");
		expect(placesOf(await ask({ action: "references", query: "area" })).join()).not.toContain("later.ts");
		workspace.write(
			"src/shapes.ts",
			readFileSync(join(workspace.directory, "src/shapes.ts"), "utf8").replaceAll("幅", "高"),
		);
		expect((await ask({ action: "diagnostics", file: "src/use.ts" })).text).toMatch(/no problems/);
		expect(placesOf(await ask({ action: "references", query: "Größe.高" }))).toEqual([
			"src/shapes.ts:15:11",
			"src/shapes.ts:18:15",
		]);
	});

	it("has written nothing into the project", () => {
		expect(readdirSync(workspace.directory).sort()).toEqual([
			"link.ts",
			"node_modules",
			"package.json",
			"src",
			"tsconfig.json",
		]);
	});
});
