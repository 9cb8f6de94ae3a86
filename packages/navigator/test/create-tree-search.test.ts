import { expect, it, vi } from "vitest";
import { indexTexts } from "../code-index/index-texts.ts";
import { createTreeSearch, type SearchTree } from "../create-tree-search.ts";
import { extractTerms } from "../extract-terms.ts";

const { terms, wishes } = extractTerms("Where is bread baked?");
const openMeaning = vi.fn(() => undefined);
const QUESTION = { task: "Where is bread baked?", terms, wishes, openMeaning };
const makeIndex = () => indexTexts([["src/oven.ts", "export function bakeBread() {}\n"]]);

it("answers the same question about the same tree once", async () => {
	openMeaning.mockClear();
	const withSearch = createTreeSearch();
	const index = makeIndex();
	const [first, second] = await withSearch((search) => [
		search(index, QUESTION),
		search(index, { ...QUESTION }),
	]);
	expect(first).toBe(second);
	expect(openMeaning).toHaveBeenCalledTimes(1);
});

it("searches again with another tree, another answer of a language server or of the model", async () => {
	const withSearch = createTreeSearch();
	const search = (...asked: Parameters<SearchTree>) => withSearch((find) => find(...asked));
	const index = makeIndex();
	const first = await search(index, QUESTION);
	const step = { tool: "lsp", args: { action: "symbols", query: "x" }, text: "nothing", isError: false };
	expect(await search(index, { ...QUESTION, steps: [step] })).not.toBe(first);
	expect(await search(index, { ...QUESTION, semantic: new Map([["src/oven.ts", 1]]) })).not.toBe(first);
	expect(await search(makeIndex(), QUESTION)).not.toBe(first);
});

it("passes on what a plan throws", async () => {
	const withSearch = createTreeSearch();
	const broken = (): never => {
		throw new TypeError("a bug");
	};
	await expect(withSearch(broken)).rejects.toThrow("a bug");
});
