import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { RedactedText } from "../../../packages/redaction/redacted-text.ts";
import { truncateOutput } from "../../../src/delegation/truncate-output.ts";

const redacted = (text: string): RedactedText => text as RedactedText;

describe("truncateOutput", () => {
	it("leaves text within the limits as it is", () => {
		expect(truncateOutput(redacted("one\ntwo"))).toEqual({ text: "one\ntwo", truncated: false });
	});

	it("keeps the head and says what was kept", () => {
		const { text, truncated } = truncateOutput(redacted("a\nb\nc\nd"), { maxBytes: 100, maxLines: 2 });
		expect(truncated).toBe(true);
		expect(text).toBe("[Output truncated: the first 2 of 4 lines, 3 of 7 bytes.]\n\na\nb");
	});

	it("never cuts a character in half", () => {
		fc.assert(
			fc.property(
				fc.string({ unit: "grapheme", minLength: 20, maxLength: 80 }),
				fc.integer({ min: 1, max: 19 }),
				(text, maxBytes) => {
					const { text: cut, truncated } = truncateOutput(redacted(text), { maxBytes, maxLines: 1000 });
					const body = truncated ? cut.slice(cut.indexOf("\n\n") + 2) : cut;
					return (
						text.startsWith(body) &&
						Buffer.byteLength(body) <= Math.max(maxBytes, truncated ? maxBytes : body.length * 4)
					);
				},
			),
		);
	});
});
