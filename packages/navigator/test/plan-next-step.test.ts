import { readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { drive, type Tree } from "../../../test/helpers/navigator-tree.ts";
import { indexTexts } from "../code-index/index-texts.ts";
import { DISCLOSURE } from "../disclosure.ts";
import { type NavigatorInput, planNextStep } from "../plan-next-step.ts";

const CODE_TOOLS = ["read", "grep", "find", "ls"];
const TREE: Tree = {
	"README.md": "# Sample\n\nA sample project that shows how a navigator looks for things.\n\n## Use\nrun it",
	"package.json": '{\n\t"name": "sample",\n\t"description": "A sample"\n}',
	"src/price-bread.ts": [
		"import { limits } from './limits.ts';",
		"",
		"/** Decides the price list of a bakery: what was asked for, cut down to what is allowed. */",
		"export function priceBread(asked: string[], allowed: string[]): string[] {",
		"\treturn asked.filter((loaf) => allowed.includes(loaf)).slice(0, limits.loaves);",
		"}",
	].join("\n"),
	"src/limits.ts": "export const limits = { loaves: 20, bytes: 1000 };\n",
	"src/run-bakery.ts":
		"import { priceBread } from './price-bread.ts';\nexport function runBakery() {\n\treturn priceBread([], []);\n}\n",
	"test/price-bread.test.ts":
		"import { priceBread } from '../src/price-bread.ts';\nit('prices bread', () => priceBread([], []));\n",
};

const explore = (task: string, more: Partial<NavigatorInput> = {}) =>
	drive(TREE, { agent: "explorer", task, tools: CODE_TOOLS, ...more });

function resultOf({ end }: ReturnType<typeof drive>): string {
	return end.status === "SUCCESS" ? end.result : `ERROR ${end.error}`;
}

describe("planNextStep as explorer", () => {
	it("answers a question with the likeliest place first, quoted evidence and the label", () => {
		const result = resultOf(explore("Where is the price list of a bakery decided?"));
		expect(result.split("\n")[0]).toBe(DISCLOSURE);
		expect(result.split("\n")[1]).toBe(
			"**Most likely:** `src/price-bread.ts:3`: `/** Decides the price list of a bakery: what was asked for, cut down to what is allowed. */`, on `priceBread` (line 4)",
		);
		expect(result).toContain("\n1. `src/price-bread.ts:3`: ");
		expect(result.split("\n").length).toBeLessThanOrEqual(15);
	});

	it("shows the passage when everything is asked for", () => {
		const result = resultOf(explore("Where is the price list of a bakery decided?", { verbose: true }));
		expect(result).toContain("**Passage** `src/price-bread.ts:1-6`");
	});

	it("leads from a symbol to its definition", () => {
		expect(resultOf(explore("Where is runBakery defined?"))).toMatch(
			/^\*\*Most likely:\*\* `src\/run-bakery\.ts:2`/m,
		);
	});

	it("says what it did not find", () => {
		const result = resultOf(explore("Where does priceBread use the hypervisor?"));
		expect(result).toContain('**Not found:** in none of the 6 files that were read: "hypervisor"');
	});

	it("says so when nothing matches at all", () => {
		const result = resultOf(explore("zyzzyva quokka"));
		expect(result).toMatch(/^\*\*Nothing found\.\*\* The 6 files were searched/m);
		expect(result.startsWith(DISCLOSURE)).toBe(true);
	});

	it("answers who calls something with the calls, not with the definition", () => {
		const result = resultOf(explore("Who calls priceBread?"));
		expect(result).toContain(
			"**Called in** 2 places in 2 files:\n1. `src/run-bakery.ts:3`: `return priceBread([], []);`\n",
		);
		expect(result).toContain("**Imported in:** `src/run-bakery.ts:1`, `test/price-bread.test.ts:1`");
		expect(result).toMatch(/^\*\*Defined in:\*\* `src\/price-bread\.ts:4`/m);
	});

	it("answers who imports something with the imports, and says so when there is none", () => {
		const lines = resultOf(explore("Who imports priceBread?")).split("\n");
		expect(lines.slice(1, 4)).toEqual([
			"**Imported in** 2 places in 2 files:",
			"1. `src/run-bakery.ts:1`: `import { priceBread } from './price-bread.ts';`",
			"2. `test/price-bread.test.ts:1`: `import { priceBread } from '../src/price-bread.ts';`",
		]);
		expect(lines[4]).toBe("**Called in:** `src/run-bakery.ts:3`, `test/price-bread.test.ts:2`");
		expect(resultOf(explore("Where is runBakery imported?")).split("\n")[1]).toBe(
			"**No import of `runBakery` under that name was found** in the code that was parsed.",
		);
	});

	it("answers where something is used that nobody calls with what uses it", () => {
		expect(resultOf(explore("Where is limits used?")).split("\n")[1]).toBe(
			"**Imported in** 1 place in 1 file:",
		);
		expect(resultOf(explore("Who calls limits?")).split("\n")[1]).toBe(
			"**No call of `limits` under that name was found** in the code that was parsed.",
		);
	});

	it("reads what it quotes in one turn, and searches nothing word by word", () => {
		const { turns } = explore("Where is the price list of a bakery decided?");
		expect(turns.length).toBe(1);
		expect(turns.flat().every(({ tool }) => tool === "read")).toBe(true);
	});

	it("calls only tools that were granted", () => {
		for (const tools of [["grep"], ["find"], ["ls"], ["find", "read"], ["ls", "read"], ["grep", "read"]]) {
			const { turns } = explore("Where is priceBread and the price list?", { tools });
			expect(turns.flat().filter(({ tool }) => !tools.includes(tool))).toEqual([]);
		}
	});

	it("says why when the tree could not be read", () => {
		const end = planNextStep({
			agent: "explorer",
			task: "Where is priceBread?",
			tools: CODE_TOOLS,
			steps: [],
			indexError: "permission denied",
		});
		expect(end).toMatchObject({ status: "ERROR", error: expect.stringContaining("permission denied") });
	});

	it("describes the project from its front page, manifest and folders", () => {
		const result = resultOf(explore("What is this project?"));
		expect(result).toContain(
			"`README.md:3`: `A sample project that shows how a navigator looks for things.`",
		);
		expect(result).toContain('`package.json:2`: `"name": "sample",`');
		expect(result).toContain("src/");
	});

	it("asks the language server first when it may, and goes on when that fails", () => {
		const tools = ["lsp", "grep"];
		const index = indexTexts(Object.entries(TREE));
		const first = planNextStep({ agent: "explorer", task: "Where is priceBread?", tools, steps: [], index });
		expect(first.kind === "call" && first.calls[0]).toEqual({
			tool: "lsp",
			args: { action: "symbols", query: "priceBread" },
		});
		const result = resultOf(explore("Where is priceBread?", { tools: ["lsp", "grep", "read"] }));
		expect(result).toMatch(/^\*\*Most likely:\*\* `src\/price-bread\.ts:4`/m);
		expect(result).toContain("tool call failed: lsp");
	});

	it("says in the first line of every answer who answers", () => {
		const answers = ["Give me an overview of this project", "Where is runBakery?", "Where is zzzyyyxxx?"];
		for (const task of answers) expect(resultOf(explore(task)).split("\n")[0]).toBe(DISCLOSURE);
	});

	it("treats an agent it does not know like the explorer", () => {
		expect(resultOf(explore("Where is runBakery?", { agent: "docs-finder" }))).toBe(
			resultOf(explore("Where is runBakery?")),
		);
	});
});

describe("planNextStep as reviewer, implementer and tester", () => {
	it.each(["reviewer", "implementer", "tester"])(
		"gives a %s the places, tests and users, and says what was not judged",
		(agent) => {
			const result = resultOf(drive(TREE, { agent, task: "the priceBread function", tools: CODE_TOOLS }));
			expect(result).toMatch(/^\*\*Most likely:\*\* `src\/price-bread\.ts:4`/m);
			expect(result).toContain("**Tests:** `test/price-bread.test.ts`");
			expect(result.split("\n").length).toBeLessThanOrEqual(15);
			expect(result).toContain("**Not judged:**");
			expect(result.startsWith(DISCLOSURE)).toBe(true);
		},
	);

	it("outlines a file that is only named by its path", () => {
		const result = resultOf(
			drive(TREE, { agent: "implementer", task: "src/run-bakery.ts", tools: CODE_TOOLS }),
		);
		expect(result).toContain("1. `src/run-bakery.ts:2`: `export function runBakery() {` (named in the task)");
	});

	it("shows a tester the code under test before the tests", () => {
		const result = resultOf(
			drive(TREE, { agent: "tester", task: "Plan tests for pricing bread", tools: CODE_TOOLS }),
		);
		expect(result).toMatch(/1\. `src\/price-bread\.ts:/);
	});
});

describe("planNextStep as researcher", () => {
	const tools = ["web_search", "fetch_content", "get_search_content", "convert_content"];
	const search = {
		tool: "web_search",
		args: {},
		text: "1. Retry guide\n   https://a.example/retry\n   How to retry requests with backoff.\n2. Other\n   https://b.example/",
		isError: false,
	};
	const page = (url: string, text: string, isError = false) => ({
		tool: "fetch_content",
		args: { url },
		text,
		isError,
	});
	const task = "How does retry backoff work?";

	it("searches, opens the best sources, and quotes them with their addresses", () => {
		const first = planNextStep({ agent: "researcher", task, tools, steps: [] });
		expect(first.kind === "call" && first.calls).toEqual([
			{ tool: "web_search", args: { queries: [task, "retry backoff"] } },
		]);
		const second = planNextStep({ agent: "researcher", task, tools, steps: [search] });
		expect(second.kind === "call" && second.calls).toEqual([
			{ tool: "fetch_content", args: { url: "https://a.example/retry" } },
			{ tool: "fetch_content", args: { url: "https://b.example/" } },
		]);
		const steps = [
			search,
			page("https://a.example/retry", "Each retry doubles the backoff delay up to a minute."),
			page("https://b.example/", "503", true),
		];
		const end = planNextStep({ agent: "researcher", task, tools, steps });
		expect(end.kind === "finalize" && end.status === "SUCCESS" && end.result).toContain(
			"“Each retry doubles the backoff delay up to a minute.” [1]",
		);
		expect(end.kind === "finalize" && end.status === "SUCCESS" && end.result).toContain(
			"1. Retry guide: https://a.example/retry",
		);
		expect(end.kind === "finalize" && end.status === "SUCCESS" && end.result.startsWith(DISCLOSURE)).toBe(
			true,
		);
	});

	it("fetches an address that the task gives", () => {
		const first = planNextStep({
			agent: "researcher",
			task: "Read https://c.example/x about tokens",
			tools,
			steps: [],
		});
		expect(first.kind === "call" && first.calls[1]).toEqual({
			tool: "fetch_content",
			args: { urls: ["https://c.example/x"] },
		});
	});

	it("fails with the reason when no source could be read", () => {
		const failed = { ...search, text: "NETWORK_ERROR: no route", isError: true };
		const end = planNextStep({ agent: "researcher", task, tools, steps: [failed] });
		expect(end).toEqual({
			kind: "finalize",
			status: "ERROR",
			error: "No source could be read. web_search: NETWORK_ERROR: no route",
		});
	});
});

describe("planNextStep in a resumed session", () => {
	const history = [
		{
			task: "Where is priceBread?",
			answer: "**Most likely:** `src/price-bread.ts:4`: `export function priceBread(`",
		},
	];

	it("completes a follow-up with what the task before was about", () => {
		const result = resultOf(explore("And who calls it?", { history }));
		expect(result).toContain("1. `src/run-bakery.ts:3`: `return priceBread([], []);`");
	});

	it("remembers what it was asked", () => {
		const result = resultOf(explore("What was my first task, what did I ask?", { history }));
		expect(result).toContain("1. Task: Where is priceBread?");
	});

	it("leaves a question that stands on its own alone", () => {
		const result = resultOf(explore("Where is the oven temperature limit configured?", { history }));
		expect(result).not.toContain("priceBread(asked");
	});
});

describe("planNextStep when it cannot work", () => {
	it.each([[[]], [["read"]], [["subagent_finalize", "bash"]]])(
		"says that it needs a search tool when it has %j",
		(tools) => {
			const end = planNextStep({ agent: "mute", task: "Where is priceBread?", tools, steps: [] });
			expect(end.kind === "finalize" && end.status === "ERROR" && end.error).toMatch(
				/"mute" was granted .*Grant it grep/,
			);
		},
	);

	it("asks for something to look for when the task has nothing", () => {
		const end = planNextStep({ agent: "explorer", task: "what is it?!", tools: ["grep"], steps: [] });
		expect(end.kind === "finalize" && end.status).not.toBe("SUCCESS");
	});

	it("quotes what a tool that failed said", () => {
		const { end } = drive({}, { agent: "explorer", task: "priceBread", tools: ["lsp"] });
		expect(end.status === "SUCCESS" && end.result).toContain("lsp: Path not found");
	});
});

describe("planNextStep for any input", () => {
	const text = fc.oneof(
		fc.string({ unit: "binary", maxLength: 200 }),
		fc.string({ maxLength: 200 }),
		fc.lorem({ maxCount: 30 }),
	);
	const tool = fc.constantFrom(
		"read",
		"grep",
		"find",
		"ls",
		"lsp",
		"web_search",
		"fetch_content",
		"get_search_content",
		"convert_content",
		"bash",
	);
	const args = fc.dictionary(
		fc.constantFrom("path", "pattern", "url", "offset", "action"),
		fc.oneof(text, fc.integer(), fc.constant(null)),
	);
	const steps = fc.array(fc.record({ tool, args, text, isError: fc.boolean() }), { maxLength: 40 });
	const input = fc.record({
		agent: fc.oneof(fc.constantFrom("explorer", "reviewer", "tester", "researcher"), text),
		task: text,
		tools: fc.uniqueArray(tool),
		steps,
		index: fc
			.dictionary(fc.constantFrom("a.ts", "src/b.py", "README.md"), text)
			.map((tree) => indexTexts(Object.entries(tree))),
		history: fc.array(fc.record({ task: text, answer: text }), { maxLength: 3 }),
	});

	it("never throws, stays bounded, asks only for granted tools, and gives the same answer again", () => {
		fc.assert(
			fc.property(input, (given) => {
				const step = planNextStep(given);
				expect(planNextStep(structuredClone(given))).toEqual(step);
				expect(JSON.stringify(step).length).toBeLessThan(60_000);
				if (step.kind === "call") {
					expect(step.calls.length).toBeGreaterThan(0);
					expect(step.calls.filter(({ tool: name }) => !(given.tools as string[]).includes(name))).toEqual(
						[],
					);
					expect(step.note).not.toContain("\n");
				}
			}),
			{ numRuns: 300 },
		);
	});

	it("ends for every task, whatever is in the tree", () => {
		fc.assert(
			fc.property(
				text,
				fc.dictionary(fc.constantFrom("a.ts", "src/b.py", "README.md", "package.json"), text),
				(task, tree) => {
					const { turns } = drive(tree, { agent: "explorer", task, tools: CODE_TOOLS });
					expect(turns.length).toBeLessThanOrEqual(5);
				},
			),
			{ numRuns: 200 },
		);
	});

	it("keeps the answer short over a large tree", () => {
		const line = `export const token = "${"x".repeat(400)}"; // token list of a bakery decided`;
		const tree = Object.fromEntries(
			Array.from({ length: 60 }, (_, index) => [`src/f${index}.ts`, Array(30).fill(line).join("\n")]),
		);
		const { end } = drive(tree, {
			agent: "reviewer",
			task: "Where is the token list of a bakery decided?",
			tools: CODE_TOOLS,
		});
		expect(end.status === "SUCCESS" && end.result.split("\n").length).toBeLessThanOrEqual(15);
		expect(end.status === "SUCCESS" && end.result.length).toBeLessThan(4000);
	});
});

describe("the built-in agents", () => {
	it.each([
		["explorer", "read, grep, find, ls, search_code, lsp"],
		["reviewer", "read, grep, find, ls, search_code, lsp, try_command"],
		["implementer", "read, grep, find, ls, search_code, lsp"],
		["tester", "read, grep, find, ls, search_code, lsp, try_command"],
		["researcher", "web_search, fetch_content, get_search_content, convert_content"],
	])("%s is readonly, short, and has exactly its tools", (name, tools) => {
		const text = readFileSync(new URL(`../../../agents/${name}.md`, import.meta.url), "utf8");
		expect(text).toMatch(
			new RegExp(`^---\nname: ${name}\ndescription: [^\n:]{20,90}\nreadonly: true\ntools: ${tools}\n---\n`),
		);
		expect(text.split("\n").length).toBeLessThanOrEqual(61);
		expect(text).toContain("subagent_finalize");
		expect(text).toContain("When blocked");
	});
});
