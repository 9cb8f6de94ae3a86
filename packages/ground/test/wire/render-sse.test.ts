import { describe, expect, it } from "vitest";
import { escapeNonAscii, renderSseEvent } from "../../wire/render-sse.ts";

describe("renderSseEvent", () => {
	it("writes the name, the data and a blank line", () => {
		expect(renderSseEvent("response_end", { id: "", delta: "", type: "response_end" })).toBe(
			'event: response_end\ndata: {"id":"","delta":"","type":"response_end"}\n\n',
		);
	});

	it("writes ASCII only, and the text comes back whole", () => {
		const text = "é 👩‍👧 \u2028\u2029\u0085 \u007f \ud800 終";
		const line = escapeNonAscii(JSON.stringify({ text }));
		expect(line).toMatch(/^[\x20-\x7e]*$/);
		expect(JSON.parse(line)).toEqual({ text });
	});

	it("escapes JSON that was written by somebody else without changing its value", () => {
		const json = '{ "name": "Zoë", "big": 12345678901234567890 }';
		expect(escapeNonAscii(json)).toBe('{ "name": "Zo\\u00eb", "big": 12345678901234567890 }');
	});
});
