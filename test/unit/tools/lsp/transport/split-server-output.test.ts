import { describe, expect, it } from "vitest";
import { createOutputSplitter } from "../../../../../src/tools/lsp/transport/split-server-output.ts";

const frame = (body: string) => `Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;

function split(chunks: readonly Buffer[]): readonly string[] {
	const splitter = createOutputSplitter();
	const bodies: string[] = [];
	for (const chunk of chunks) splitter(chunk, (body) => bodies.push(body));
	return bodies;
}

function cut(bytes: Buffer, size: number): Buffer[] {
	const chunks: Buffer[] = [];
	for (let from = 0; from < bytes.length; from += size) chunks.push(bytes.subarray(from, from + size));
	return chunks;
}

describe("createOutputSplitter", () => {
	it.each([1, 2, 3, 7, 64, 10_000])("hands on whole bodies from chunks of %i bytes", (size) => {
		const bodies = ['{"a":"größe"}', "{}", '{"b":"Content-Length: 3\\r\\n\\r\\n"}', '{"c":"𝒞👩‍🚀"}'];
		expect(split(cut(Buffer.from(bodies.map(frame).join("")), size))).toEqual(bodies);
	});

	it("keeps what is not complete until the rest arrives", () => {
		expect(split([Buffer.from(frame('{"a":1}').slice(0, -1))])).toEqual([]);
		expect(split([Buffer.from("Content-Le")])).toEqual([]);
	});

	it("drops chatter before a header and other header fields", () => {
		const stream = `Starting...\nContent-Type: x; charset=utf-8\r\nContent-Length: 2\r\n\r\n{}`;
		expect(split([Buffer.from(stream)])).toEqual(["{}"]);
	});

	it.each([
		["text with an end of header", "hello\r\n\r\n", /not the language server protocol: "hello"/],
		["a header without an end", "x".repeat(9000), /not the language server protocol/],
		["a length that is no number", "Content-Length: many\r\n\r\n", /not the language server protocol/],
		[
			"chatter without end",
			`${"x".repeat(8000)}${frame("{}")}`.repeat(9),
			/not the language server protocol/,
		],
		[
			"a length beyond all sense",
			"Content-Length: 99999999999\r\n\r\n",
			/announced a message of 99999999999 bytes/,
		],
	])("throws for %s", (_name, stream, message) => {
		expect(() => split(cut(Buffer.from(stream), 1000))).toThrow(message);
	});
});
