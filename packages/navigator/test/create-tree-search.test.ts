import { expect, it, vi } from "vitest";
import { indexTexts } from "../code-index/index-texts.ts";
import { createTreeSearch } from "../create-tree-search.ts";
import { extractTerms } from "../extract-terms.ts";

const { terms, wishes } = extractTerms("Where is bread baked?");
const openMeaning = vi.fn(() => undefined);
const QUESTION = { task: "Where is bread baked?", terms, wishes, openMeaning };
const makeIndex = () => indexTexts([["src/oven.ts", "export function bakeBread() {}\n"]]);

it("answers the same question about the same tree once", () => {
	openMeaning.mockClear();
	const search = createTreeSearch();
	const index = makeIndex();
	expect(search(index, QUESTION)).toBe(search(index, { ...QUESTION }));
	expect(openMeaning).toHaveBeenCalledTimes(1);
});

it("searches again with another tree, another answer of a language server or of the model", () => {
	const search = createTreeSearch();
	const index = makeIndex();
	const first = search(index, QUESTION);
	const step = { tool: "lsp", args: { action: "symbols", query: "x" }, text: "nothing", isError: false };
	expect(search(index, { ...QUESTION, steps: [step] })).not.toBe(first);
	expect(search(index, { ...QUESTION, semantic: new Map([["src/oven.ts", 1]]) })).not.toBe(first);
	expect(search(makeIndex(), QUESTION)).not.toBe(first);
});
