import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { RedactedText } from "../../../packages/redaction/redacted-text.ts";
import { truncateOutput } from "../../../src/delegation/truncate-output.ts";

const redacted = (text: string): RedactedText => text as RedactedText;

describe("truncateOutput", () => {
	it("leaves text within the limits as it is", () => {
		expect(truncateOutput(redacted("one\ntwo"))).toEqual({ text: "one\ntwo", truncated: false });
	});

	it("keeps beginning and end, and says what was kept and where the whole is", () => {
		const { text, truncated } = truncateOutput(redacted("a\nb\nc\nd\ne\nf\ng\nh\ni"), {
			maxBytes: 500,
			maxLines: 7,
			describeWhole: () => "The whole is elsewhere.",
		});
		expect(truncated).toBe(true);
		expect(text).toBe(
			"[Output truncated: its beginning and its end, 4 of 17 bytes and 3 of 9 lines. The whole is elsewhere.]\n\na\nb\n\n[…] i",
		);
	});

	it("asks where the whole is only when something is left out", () => {
		const describeWhole = () => expect.fail("nothing was cut");
		expect(truncateOutput(redacted("one"), { maxBytes: 3, maxLines: 1, describeWhole }).truncated).toBe(
			false,
		);
	});

	it("is within its limits to the byte and the line, and cuts no character in half", () => {
		fc.assert(
			fc.property(
				fc.string({ unit: fc.constantFrom("a", "é", "漢", "🦊", "\n"), minLength: 300, maxLength: 600 }),
				fc.integer({ min: 150, max: 290 }),
				fc.integer({ min: 8, max: 40 }),
				(whole, maxBytes, maxLines) => {
					const { text } = truncateOutput(redacted(whole), { maxBytes, maxLines });
					expect(Buffer.byteLength(text)).toBeLessThanOrEqual(maxBytes);
					expect(text.split("\n").length).toBeLessThanOrEqual(maxLines);
					const [, head = "", tail = ""] =
						/^\[Output truncated: [^\]]*\]\n\n([\s\S]*)\n\n\[…\] ([\s\S]*)$/.exec(text) ?? [];
					expect(whole.startsWith(head)).toBe(true);
					expect(whole.endsWith(tail)).toBe(true);
					expect(text).not.toContain("\ufffd");
				},
			),
		);
	});
});
