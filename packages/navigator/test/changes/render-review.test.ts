import { describe, expect, it } from "vitest";
import { drive } from "../../../../test/helpers/navigator-tree.ts";
import type { GitFacts } from "../../changes/git-facts.ts";
import { parseDiff } from "../../changes/parse-diff.ts";
import { indexTexts } from "../../code-index/index-texts.ts";

const commit = (hash: string, files: readonly string[], author = "Ada") => ({
	hash,
	files,
	author,
	date: "2026-01-02",
	subject: `Change ${hash}`,
});
const review = (
	tree: Record<string, string>,
	diff: string,
	more: Partial<GitFacts> = {},
	tools = ["grep", "read"],
) => {
	const changes = { title: "uncommitted changes", files: parseDiff(diff) ?? [] };
	const { end, turns } = drive(tree, {
		agent: "reviewer",
		task: "Review my uncommitted changes.",
		tools,
		git: { commits: [], changes, ...more },
	});
	return { text: end.status === "SUCCESS" ? end.result : end.error, turns };
};
const hunk = (path: string, removed: readonly string[], added: readonly string[]) =>
	[
		`--- a/${path}`,
		`+++ b/${path}`,
		`@@ -1,${removed.length} +1,${added.length} @@`,
		...removed.map((line) => `-${line}`),
		...added.map((line) => `+${line}`),
	].join("\n");

describe("a review without a model", () => {
	it("names what was removed and is still used", () => {
		const tree = {
			"src/a.ts": "export const other = 1;\n",
			"src/b.ts": 'import { bake } from "./a.ts";\nbake(1);\n',
		};
		const { text } = review(
			tree,
			hunk("src/a.ts", ["export function bake(x) {}"], ["export const other = 1;"]),
		);
		expect(text).toContain("1. `src/b.ts:1`: `bake` was removed and is still used: `import { bake } from");
	});

	it("names calls that no longer fit", () => {
		const tree = {
			"src/a.ts": "export function bake(x, y) {}\n",
			"src/b.ts": "bake(1, 2);\nbake(f(1, 2));\n",
		};
		const { text } = review(
			tree,
			hunk("src/a.ts", ["export function bake(x) {}"], ["export function bake(x, y) {}"]),
		);
		expect(text).toContain("1. `src/b.ts:2`: `bake` now takes 2 arguments: `bake(f(1, 2));`");
	});

	it("names a slip of one letter, and no plural", () => {
		const tree = {
			"src/a.ts": "config.recieveTimeout = 1;\nconst handlers = 1;\n",
			"src/b.ts": "receiveTimeout(receiveTimeout, receiveTimeout); handler(handler, handler);\n",
		};
		const { text } = review(
			tree,
			hunk("src/a.ts", [], ["config.recieveTimeout = 1;", "const handlers = 1;"]),
		);
		expect(text).toContain("`recieveTimeout` is nowhere else, `receiveTimeout` is");
		expect(text).not.toContain("`handlers` is nowhere else");
	});

	it("lists users and tests of what changed, what usually changes with it, and authors", () => {
		const tree = {
			"src/a.ts": "export function bake() {}\nexport function knead() {}\n",
			"src/b.ts": "bake();\n",
			"docs.ts": "",
			"test/a.test.ts": "bake();\n",
		};
		const commits = ["1", "2", "3"].map((hash) => commit(hash, ["src/a.ts", "docs.ts"]));
		const { text } = review(
			tree,
			hunk("src/a.ts", [], ["export function bake() {}", "export function knead() {}"]),
			{ commits },
		);
		expect(text).toContain("`bake` `src/a.ts:1`: 1 call elsewhere (`src/b.ts:1`); named in tests");
		expect(text).toContain("`knead` `src/a.ts:2`: no use elsewhere was found; **no test names it**");
		expect(text).toContain(
			"**Usually changed together, not here:** `docs.ts` (in 3 of 3 commits with `src/a.ts`)",
		);
		expect(text).toContain("**Authors of these files:** Ada (3)");
		expect(text).toMatch(/^Answered by deputize's offline navigator/);
		expect(text).toContain("**Not judged:**");
	});

	it("asks the language server about changed files, and quotes errors on changed lines only", () => {
		const tree = { "src/a.ts": "const x: string = 1;\n" };
		const { turns } = review(tree, hunk("src/a.ts", [], ["const x: string = 1;"]), {}, ["grep", "lsp"]);
		expect(turns).toEqual([
			[{ tool: "lsp", args: { action: "diagnostics", file: "src/a.ts", severity: "error" } }],
		]);
	});

	it("quotes a linter on changed lines, and says nothing changed when nothing did", () => {
		const lint = {
			by: "oxlint",
			findings: [
				{ path: "src/a.ts", line: 1, message: "Unexpected x" },
				{ path: "src/a.ts", line: 9, message: "Old" },
			],
		};
		const { text } = review({ "src/a.ts": "x\n" }, hunk("src/a.ts", [], ["x"]), { lint });
		expect(text).toContain("1. `src/a.ts:1`: Unexpected x [oxlint]: `x`");
		expect(text).not.toContain("Old");
		expect(review({ "a.ts": "x" }, "").text).toContain("**Nothing changed:**");
	});

	it("does not fall over an index that lacks the changed file", () => {
		expect(indexTexts([]).files).toEqual([]);
		expect(review({}, hunk("src/a.ts", [], ["export function bake() {}"])).text).toContain("**Reviewed:**");
	});
});

describe("what Git adds to other roles", () => {
	const tree = {
		"src/oven.ts": "export function heatOven() {}\nexport function coolOven() {}\n",
		"test/oven.test.ts": "heatOven();\n",
	};
	const commits = [commit("b2", ["src/oven.ts"], "Bea"), commit("a1", ["src/oven.ts", "src/dough.ts"])];
	const ask = (agent: string, task: string, git: GitFacts) => {
		const { end } = drive(tree, { agent, task, tools: ["grep"], git });
		return end.status === "SUCCESS" ? end.result : end.error;
	};

	it("answers who changed a name before anything else, and falls back to the file", () => {
		const touching = { name: "heatOven", hashes: ["a1"] };
		const lines = ask("explorer", "Who changed heatOven?", { commits, touching }).split("\n");
		expect(lines[1]).toBe("**Changed lines with `heatOven`:** 1 of the last 2 commits, by Ada (1)");
		expect(lines[2]).toBe("1. a1 2026-01-02 Ada: `Change a1`");
		expect(ask("explorer", "Who changed heatOven?", { commits })).toContain(
			"**Changed `src/oven.ts`:** 2 of the last 2 commits, by Bea (1), Ada (1)",
		);
	});

	it("shows a tester what is exported and named in no test", () => {
		const text = ask("tester", "Which tests cover src/oven.ts?", { commits: [] });
		expect(text).toContain("**Exported, no test names it:** `coolOven` (`src/oven.ts:2`)");
	});

	it("shows an implementer similar commits", () => {
		const similar = [{ ...commit("c3", ["src/oven.ts"]), subject: "Ovens heat faster" }];
		expect(ask("implementer", "Let the oven heat in steps", { commits: similar })).toContain(
			"- c3 2026-01-02 Ada: `Ovens heat faster` (`src/oven.ts`)",
		);
	});
});
