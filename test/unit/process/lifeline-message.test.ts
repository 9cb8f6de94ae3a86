import { describe, expect, it } from "vitest";
import {
	readLifelineMessages,
	toLifelineAnswer,
	toLifelineMessage,
} from "../../../src/process/lifeline-message.ts";

function readAll(bytes: Buffer, pieceBytes: number): readonly string[] {
	const read: string[] = [];
	const take = readLifelineMessages({ onMessage: (text) => read.push(text) });
	for (let at = 0; at < bytes.length; at += pieceBytes) take(bytes.subarray(at, at + pieceBytes));
	return read;
}

describe("messages over the lifeline", () => {
	it.each([1, 2, 7, 1000])("arrive whole in pieces of %i bytes", (pieceBytes) => {
		const texts = ["first", "zwei\nZeilen", "日本語 👩‍👩‍👧‍👦"];
		const bytes = Buffer.from(texts.map(toLifelineMessage).join(""));
		expect(readAll(bytes, pieceBytes)).toEqual(texts);
	});

	it("are cut to a size, and lines that are none of ours are passed over", () => {
		const long = toLifelineMessage("x".repeat(100_000));
		const bytes = Buffer.from(`noise\n{"message":5}\n${"y".repeat(200_000)}\n${long}`);
		expect(readAll(bytes, 4096).map((text) => text.length)).toEqual([16_384]);
	});

	it("carry answers too, and what is neither text nor yes or no is none", () => {
		const answers: unknown[] = [];
		const take = readLifelineMessages({ onAnswer: (id, value) => answers.push([id, value]) });
		const lines = [
			toLifelineAnswer("a", true),
			toLifelineAnswer("b", "text"),
			toLifelineAnswer("c", undefined),
		];
		take(Buffer.from(`${lines.join("")}{"answer":{"id":"d","value":{"x":1}}}\n{"answer":{"value":true}}\n`));
		expect(answers).toEqual([
			["a", true],
			["b", "text"],
			["c", undefined],
			["d", undefined],
		]);
	});
});
