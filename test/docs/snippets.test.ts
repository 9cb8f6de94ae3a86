import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import ts from "typescript";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

const root = join(import.meta.dirname, "../..");
const pages = ["README.md", ...globSync("docs/**/*.md", { cwd: root, exclude: ["**/node_modules"] })].map(
	(page) => join(root, page),
);
const documented = pages.flatMap((page) =>
	[...readFileSync(page, "utf8").matchAll(/^```ts\n([\s\S]*?)^```$/gm)].map((match, index) => ({
		name: `${relative(root, page)} ${index + 1}`,
		code: match[1] ?? "",
	})),
);

const IMPORTS = 'import { callSubagent, delegate, discoverAgents } from "deputize";\n';
const KEEP = "void [callSubagent, delegate, discoverAgents];\n";
const write = (name: string, line: string) => ({ name, code: `${IMPORTS}${KEEP}void ${line};\n` });
const right = [
	write(
		"the navigator without an address",
		'callSubagent({ prompt: "x" }, { model: "n", provider: "offline" })',
	),
	write("agents by a directory alone", 'discoverAgents({ cwd: "." }).agents.map(({ name }) => name)'),
];
const wrong = [
	{ ...write("a misspelled field", 'delegate({ agnet: "explorer", task: "x" })'), problem: "agnet" },
	{ ...write("a string for a request", 'delegate("explorer")'), problem: "not assignable" },
	{
		...write(
			"a provider without an address",
			'callSubagent({ prompt: "x" }, { model: "m", provider: "anthropic" })',
		),
		problem: "url",
	},
];

/** Everything a strict project switches on. The sources stand for the package: its types are made from them. */
const OPTIONS: ts.CompilerOptions = {
	strict: true,
	exactOptionalPropertyTypes: true,
	noUncheckedIndexedAccess: true,
	noPropertyAccessFromIndexSignature: true,
	noImplicitReturns: true,
	noUnusedLocals: true,
	noEmit: true,
	allowImportingTsExtensions: true,
	resolveJsonModule: true,
	target: ts.ScriptTarget.ES2023,
	module: ts.ModuleKind.NodeNext,
	moduleResolution: ts.ModuleResolutionKind.NodeNext,
	types: ["node"],
	typeRoots: [join(root, "node_modules/@types")],
	paths: { deputize: [join(root, "src/index.ts")] },
};

describe("every TypeScript snippet of the documentation", () => {
	const directory = mkdtempSync(join(root, "node_modules", ".snippets-"));
	afterAll(() => rmSync(directory, { recursive: true, force: true }));
	const fileOf = (name: string): string => join(directory, `${name.replace(/\W+/g, "-")}.mts`);
	let program: ts.Program;

	beforeAll(() => {
		const all = [...documented, ...right, ...wrong];
		for (const { name, code } of all) writeFileSync(fileOf(name), code);
		program = ts.createProgram(
			all.map(({ name }) => fileOf(name)),
			OPTIONS,
		);
	});

	/** Only of the snippet itself: the sources are checked elsewhere. */
	const listProblems = (name: string): string[] => {
		const file = program.getSourceFile(fileOf(name));
		return [...program.getSyntacticDiagnostics(file), ...program.getSemanticDiagnostics(file)].map(
			({ messageText }) => ts.flattenDiagnosticMessageText(messageText, "\n"),
		);
	};

	it("is found", () => {
		expect(documented.length).toBeGreaterThanOrEqual(2);
	});

	it.each([...documented, ...right])("$name compiles under the strictest settings", ({ name }) => {
		expect(listProblems(name)).toEqual([]);
	});

	it.each(wrong)("$name does not compile", ({ name, problem }) => {
		expect(listProblems(name).join("\n")).toContain(problem);
	});
});
