import { describe, expect, it } from "vitest";
import { createThoughtSplitter } from "../../../../src/loop/providers/create-thought-splitter.ts";

function split(pieces: readonly string[]) {
	const said = { text: "", reasoning: "" };
	const splitter = createThoughtSplitter({
		text(delta) {
			said.text += delta;
		},
		reasoning(delta) {
			said.reasoning += delta;
		},
	});
	for (const piece of pieces) splitter.push(piece);
	splitter.end();
	return said;
}

describe("thoughts at the beginning of an answer", () => {
	it.each<[string, string, string, string]>([
		["between tags", "<think>\nHm.\n</think>\n\nIt is in a.js.", "It is in a.js.", "\nHm.\n"],
		["none", "It is in a.js.", "It is in a.js.", ""],
		["none, after white space", "\n\n It", "\n\n It", ""],
		["empty ones", "<think>\n\n</think>\n\nYes", "Yes", "\n\n"],
		["without an end", "<think>Hm", "", "Hm"],
		["with signs in them", "<think>a < b </thin </think>c", "c", "a < b </thin "],
		[
			"an answer that speaks of the tag",
			"Look at <think>x</think> there.",
			"Look at <think>x</think> there.",
			"",
		],
		["an answer behind them that does", "<think>a</think>b</think>", "b</think>", "a"],
		["half a tag", "<thi", "<thi", ""],
	])("%s, however the pieces fall", (_what, whole, text, reasoning) => {
		for (let size = 1; size <= whole.length; size += 1) {
			const pieces = whole.match(new RegExp(`[\\s\\S]{1,${size}}`, "g")) ?? [];
			expect(split(pieces)).toEqual({ text, reasoning });
		}
	});

	it("are not waited for behind endless white space", () => {
		const said: string[] = [];
		const splitter = createThoughtSplitter({ text: (delta) => said.push(delta), reasoning: () => undefined });
		for (let count = 0; count < 2000; count += 1) splitter.push(" ");
		expect(said.join("")).toHaveLength(2000);
	});
});
