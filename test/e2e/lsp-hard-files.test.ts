import { readdirSync, statSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { LspTool } from "../../src/tools/lsp/create-lsp-tool.ts";
import {
	callLsp,
	createTestTool,
	createWorkspace,
	hasSystemProgram,
	installServer,
	installTypescript,
	type LspWorkspace,
	placesOf,
} from "../helpers/lsp-workspace.ts";

/** The same hard files in every language: each use of `half`, and of a name outside ASCII, has a place known here. */
interface Language {
	readonly name: string;
	readonly extension: string;
	readonly isInstalled?: () => boolean;
	readonly install: (workspace: LspWorkspace, outside: string) => void;
	/** Defines `half` on its second line. */
	readonly library: readonly string[];
	/** What a file that uses the library begins with. */
	readonly opening: readonly string[];
	/** A line that uses `half` after an emoji, a combined one and wide characters. */
	readonly wide: string;
	readonly filler: (index: number) => string;
	readonly last: string;
	/** A line that defines a name outside ASCII and one that uses it, after wide characters. */
	readonly accents: readonly [string, string];
	readonly outside: { readonly file: string; readonly text: string; readonly use: (path: string) => string };
	/** Extra places that name `half` without a call: imports. */
	readonly namesInOpening: boolean;
}

const LANGUAGES: readonly Language[] = [
	...(["typescript-5", "typescript-7"] as const).map(
		(peer): Language => ({
			name: peer === "typescript-5" ? "typescript-language-server" : "TypeScript 7",
			extension: "ts",
			install: (workspace) => {
				installTypescript(workspace, peer);
				if (peer === "typescript-5") installServer(workspace, "typescript-language-server");
				workspace.write(
					"tsconfig.json",
					'{ "compilerOptions": { "module": "esnext", "moduleResolution": "bundler", "types": [], "noEmit": true }, "include": ["*.ts"], "exclude": ["link.ts"] }',
				);
			},
			library: ["// ½ of it", "export function half(value: number): number {", "\treturn value / 2;", "}"],
			opening: ['import { half } from "./library";'],
			wide: 'export const wide = "👩‍🚀漢字" + half(4);',
			filler: (index) => `export const value${index} = ${index};`,
			last: "export const last = half(8);",
			accents: ["export const größe = 1;", 'export const both = "👩‍🚀漢字" + größe;'],
			outside: {
				file: "outside.ts",
				text: "// é\nexport const far = 1;\n",
				use: (path) => `import { far } from "${path.slice(0, -3)}"; export const near = far;`,
			},
			namesInOpening: true,
		}),
	),
	{
		name: "pyright",
		extension: "py",
		install: (workspace, outside) => {
			installServer(workspace, "pyright-langserver");
			workspace.write("pyrightconfig.json", JSON.stringify({ extraPaths: [outside], exclude: ["link.py"] }));
		},
		library: ["# ½ of it", "def half(value: float) -> float:", "    return value / 2"],
		opening: ["from library import half"],
		wide: 'wide = "👩‍🚀漢字" + str(half(4))',
		filler: (index) => `value${index} = ${index}`,
		last: "last = half(8)",
		accents: ["größe = 1", 'both = "👩‍🚀漢字" + str(größe)'],
		outside: { file: "outside.py", text: "# é\nfar = 1\n", use: () => "from outside import far; near = far" },
		namesInOpening: true,
	},
	{
		name: "clangd",
		extension: "c",
		isInstalled: () => hasSystemProgram("clangd", "clangd"),
		install: () => undefined,
		library: ["// ½ of it", "int half(int value) { return value / 2; }"],
		opening: ["int half(int value);"],
		wide: 'int wide(void) { return sizeof("👩‍🚀漢字") + half(4); }',
		filler: (index) => `static const int value${index} = ${index};`,
		last: "int last(void) { return half(8); }",
		accents: ["static int größe = 1;", 'int both(void) { return sizeof("👩‍🚀漢字") + größe; }'],
		outside: {
			file: "outside.h",
			text: "// é\nstatic int far = 1;\n",
			use: (path) => `#include "${path}"\nint near(void) { return far; }`,
		},
		namesInOpening: true,
	},
	{
		name: "bash-language-server",
		extension: "sh",
		install: (workspace) => installServer(workspace, "bash-language-server"),
		library: ["# ½ of it", "half() {", '\techo "$1"', "}"],
		opening: ["source ./library.sh"],
		wide: 'echo "👩‍🚀漢字"; half 4',
		// Not variables: shellcheck takes minutes for five thousand that nobody uses.
		filler: (index) => `echo ${index}`,
		last: "half 8",
		accents: ["accent=1", 'echo "👩‍🚀漢字"; echo "$accent"'],
		outside: { file: "outside.sh", text: "# é\nfar() { :; }\n", use: (path) => `source ${path}\nfar` },
		namesInOpening: false,
	},
];

/** Columns are counted in characters, as a person does, not in UTF-16 units. */
const columnOf = (line: string, name: string): number =>
	[...line.slice(0, line.lastIndexOf(name))].length + 1;

describe.each(LANGUAGES)("$name", (language) => {
	const { extension, opening, wide, last, accents, outside } = language;
	const isRun = language.isInstalled?.() ?? true;
	let workspace: LspWorkspace;
	let elsewhere: LspWorkspace;
	let home: LspWorkspace;
	let tool: LspTool;
	const file = (name: string) => `${name}.${extension}`;
	const ask = (input: object) => callLsp(tool, workspace, input);
	let before: readonly string[];
	const listOwnFiles = () =>
		readdirSync(workspace.directory, { recursive: true, encoding: "utf8" })
			.map((name) => `${name} ${statSync(join(workspace.directory, name)).mtimeMs}`)
			.sort();

	beforeAll(() => {
		workspace = createWorkspace();
		elsewhere = createWorkspace();
		home = createWorkspace();
		language.install(workspace, elsewhere.directory);
		workspace.write(file("library"), `${language.library.join("\n")}\n`);
		workspace.write(file("windows"), `${[...opening, wide].join("\r\n")}\r\n`);
		const filler = Array.from({ length: 4999 - opening.length }, (_, index) => language.filler(index));
		workspace.write(file("big"), `${[...opening, ...filler, last].join("\n")}\n`);
		workspace.write(file("accents"), `${accents.join("\n")}\n`);
		const far = elsewhere.write(outside.file, outside.text);
		workspace.write(file("near"), `${outside.use(far)}\n`);
		symlinkSync(join(workspace.directory, file("windows")), join(workspace.directory, file("link")));
		tool = createTestTool({
			env: { PATH: process.env["PATH"], HOME: home.directory },
			readable: [elsewhere.directory],
		});
		before = listOwnFiles();
	});
	afterAll(async () => {
		await tool.close();
		for (const directory of [workspace, elsewhere, home]) directory.remove();
	});

	it.runIf(isRun)("finds every use: after wide characters, with CRLF, in line 5000", async () => {
		const inOpening = (name: string) =>
			language.namesInOpening ? [`${file(name)}:1:${columnOf(opening[0] ?? "", "half")}`] : [];
		const expected = [
			...inOpening("big"),
			`${file("big")}:5000:${columnOf(last, "half")}`,
			`${file("library")}:2:${columnOf(language.library[1] ?? "", "half")}`,
			...inOpening("windows"),
			`${file("windows")}:2:${columnOf(wide, "half")}`,
		];
		const outcome = await ask({ action: "references", file: file("library"), query: "half" });
		expect(placesOf(outcome)).toEqual(expected);
		expect(outcome.text).toContain(`  2:${columnOf(wide, "half")}  ${wide}`);
	});

	it.runIf(isRun)("goes to the definition from there, through a link too", async () => {
		const home = [`${file("library")}:2:${columnOf(language.library[1] ?? "", "half")}`];
		const column = columnOf(wide, "half");
		const definition = async (name: string, line: number, at: number) =>
			placesOf(await ask({ action: "definition", file: file(name), line, column: at }));
		expect(await definition("windows", 2, column)).toEqual(home);
		expect(await definition("windows", 2, column + 3)).toEqual(home);
		expect(await definition("link", 2, column)).toEqual(home);
		expect(await definition("big", 5000, columnOf(last, "half"))).toEqual(home);
	});

	it.runIf(isRun)("knows a name after wide characters", async () => {
		const name = /gr\S+e\b/.exec(accents[0])?.[0] ?? "accent";
		const place = { file: file("accents"), line: 2, column: columnOf(accents[1], name) };
		const outcome = await ask({ action: "definition", ...place });
		expect(placesOf(outcome)).toEqual([`${file("accents")}:1:${columnOf(accents[0], name)}`]);
		expect(placesOf(await ask({ action: "references", ...place }))).toEqual([
			`${file("accents")}:1:${columnOf(accents[0], name)}`,
			`${file("accents")}:2:${columnOf(accents[1], name)}`,
		]);
	});

	it.runIf(isRun)("leads outside the workspace, and is not asked about what is there", async () => {
		const path = join(elsewhere.directory, outside.file);
		const lines = outside.use(path).split("\n");
		const use = lines.at(-1) ?? "";
		const line = lines.length;
		const outcome = await ask({
			action: "definition",
			file: file("near"),
			line,
			column: columnOf(use, "far"),
		});
		const defined = outside.text.split("\n")[1] ?? "";
		expect(placesOf(outcome)).toEqual([`${path}:2:${columnOf(defined, "far")}`]);
		expect(outcome.text).toContain(defined);
		const direct = await ask({ action: "hover", file: path, line: 2, column: columnOf(defined, "far") });
		expect(direct.text).toMatch(/^INVALID_INPUT: .* outside the workspace/);
	});

	it.runIf(isRun)(
		"has written nothing into the project, at any depth, after every kind of question",
		async () => {
			const place = { file: file("windows"), line: 2, column: columnOf(wide, "half") };
			for (const action of ["hover", "signature", "diagnostics"]) {
				expect((await ask({ action, ...place })).isError, action).toBe(false);
			}
			expect((await ask({ action: "symbols", query: "half" })).isError).toBe(false);
			expect((await ask({ action: "workspace-diagnostics" })).isError).toBe(false);
			await tool.close();
			expect(listOwnFiles()).toEqual(before);
		},
	);
});

describe("yaml-language-server", () => {
	it("counts characters and lines as they are on disk, with CRLF and through a link", async () => {
		const workspace = createWorkspace();
		installServer(workspace, "yaml-language-server");
		const rows = Array.from({ length: 4999 }, (_, index) => `key${index}: "漢字"`);
		workspace.write("big.yaml", `${[...rows, '"👩‍🚀漢字": [1, 2'].join("\r\n")}\r\n`);
		symlinkSync(join(workspace.directory, "big.yaml"), join(workspace.directory, "link.yaml"));
		const tool = createTestTool();
		try {
			const outcome = await callLsp(tool, workspace, { action: "diagnostics", file: "link.yaml" });
			expect(outcome.text).toMatch(/^diagnostics: 1 error in 1 checked file: big\.yaml\n/);
			expect(outcome.text).toMatch(/\n {2}500[01]:\d+ {2}error/);
			const symbols = await callLsp(tool, workspace, {
				action: "symbols",
				file: "big.yaml",
				query: "key4998",
			});
			expect(placesOf(symbols)).toEqual(["big.yaml:4999:1"]);
		} finally {
			await tool.close();
			workspace.remove();
		}
	});
});
