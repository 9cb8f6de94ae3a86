import { describe, expect, it } from "vitest";
import { indexTexts } from "../../../../packages/navigator/code-index/index-texts.ts";
import { extractTerms } from "../../../../packages/navigator/extract-terms.ts";
import { searchTree } from "../../../../packages/navigator/search-tree.ts";
import { compareSemantically } from "../../../../packages/navigator/semantic/compare-semantically.ts";
import { createMeaningOpener } from "../../../../src/navigator/open-meaning.ts";
import { indexTree } from "../../../helpers/navigator-tree.ts";

const INDEX = indexTexts([
	["src/oven.ts", "/** Keeps bread warm. */\nexport function warmBread() {}\n"],
	["src/door.ts", "/** Opens the door of the house. */\nexport function openDoor() {}\n"],
	["src/boat.ts", "/** Sails across the lake. */\nexport function sailBoat() {}\n"],
]);
const openMeaning = createMeaningOpener();

/** A model for which the question is near texts that contain one word. */
const createFake = (word: string) => {
	const seen: string[][] = [];
	return {
		seen,
		async embed(texts: readonly string[]) {
			seen.push([...texts]);
			return texts.map((text, at) => Float32Array.of(at === 0 || text.includes(word) ? 1 : 0, 0));
		},
	};
};

function ask(task: string) {
	const { terms, wishes } = extractTerms(task);
	return { task, terms, wishes, openMeaning };
}

describe("the semantic part", () => {
	it("brings the file forward that the model finds nearest", async () => {
		const question = ask("What carries people over water?");
		const model = createFake("lake");
		const scores = await compareSemantically(INDEX, searchTree(INDEX, question), question, model);
		expect(scores).toMatchObject({ passages: 9 });
		const { ranked } = searchTree(INDEX, { ...question, semantic: scores?.nearness ?? new Map() });
		expect(ranked[0]?.path).toBe("src/boat.ts");
		expect(model.seen[0]?.[0]).toBe(question.task);
		expect(model.seen[0]).toContain("boat. Sails across the lake. export function sailBoat() {}");
	});

	it("compares how a file begins, below its license and its imports, and the passage with most of the words", async () => {
		const body = Array.from({ length: 50 }, (_, at) => `const filler${at} = ${at};`).join("\n");
		const index = indexTree([
			[
				"src/ferry.ts",
				`// Copyright of somebody\nimport { x } from "./oven.ts";\n\n/** Crosses the lake. */\n${body}\nexport function carryPeople() {}\n`,
			],
			["src/door.ts", "export function openDoor() {}\n"],
		]);
		const question = ask("What carries people over water?");
		const model = createFake("lake");
		await compareSemantically(index, searchTree(index, question), question, model);
		expect(model.seen[0]?.some((text) => text.startsWith("ferry. Crosses the lake. const filler0"))).toBe(
			true,
		);
		expect(model.seen[0]?.some((text) => text.includes("carryPeople()"))).toBe(true);
	});

	it("keeps the order of files that it finds equally near", async () => {
		const question = ask("What carries people over water?");
		const before = searchTree(INDEX, question);
		const scores = await compareSemantically(INDEX, before, question, createFake("nowhere"));
		const { ranked } = searchTree(INDEX, { ...question, semantic: scores?.nearness ?? new Map() });
		expect(ranked.map(({ path }) => path)).toEqual(before.ranked.map(({ path }) => path));
	});

	it.each(["Where is openDoor?", "door of the house opens"])(
		"is not asked where words decide: %s",
		async (task) => {
			const question = ask(task);
			const model = createFake("lake");
			const scores = await compareSemantically(INDEX, searchTree(INDEX, question), question, model);
			expect(scores).toBeUndefined();
			expect(model.seen).toEqual([]);
		},
	);

	it("says why it could not help", async () => {
		const question = ask("What carries people over water?");
		const broken = { embed: () => Promise.reject(new Error("out of paper")) };
		expect(await compareSemantically(INDEX, searchTree(INDEX, question), question, broken)).toMatchObject({
			nearness: new Map(),
			problem: "out of paper",
		});
	});

	it("stops with the run", async () => {
		const question = ask("What carries people over water?");
		const stopped = AbortSignal.abort(new Error("stopped"));
		const broken = { embed: () => Promise.reject(new Error("The call was cancelled.")) };
		await expect(
			compareSemantically(INDEX, searchTree(INDEX, question), question, broken, stopped),
		).rejects.toThrow("stopped");
	});
});
