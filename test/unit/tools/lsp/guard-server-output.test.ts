import { describe, expect, it } from "vitest";
import { guardServerOutput } from "../../../../src/tools/lsp/guard-server-output.ts";

const frame = (body: string) => `Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;

async function pass(chunks: readonly Buffer[]): Promise<{ output: string; error?: string }> {
	const guard = guardServerOutput();
	const output: Buffer[] = [];
	guard.on("data", (chunk: Buffer) => output.push(chunk));
	const ended = new Promise<string | undefined>((resolve) => {
		guard.on("error", (error) => resolve(error.message));
		guard.on("end", () => resolve(undefined));
	});
	for (const chunk of chunks) if (!guard.destroyed) guard.write(chunk);
	if (!guard.destroyed) guard.end();
	const error = await ended;
	return { output: Buffer.concat(output).toString(), ...(error === undefined ? {} : { error }) };
}

function cut(bytes: Buffer, size: number): Buffer[] {
	const chunks: Buffer[] = [];
	for (let from = 0; from < bytes.length; from += size) chunks.push(bytes.subarray(from, from + size));
	return chunks;
}

describe("guardServerOutput", () => {
	it.each([1, 2, 3, 7, 64, 10_000])("passes frames on unchanged in chunks of %i bytes", async (size) => {
		const stream = frame('{"a":"größe"}') + frame("{}") + frame('{"b":"Content-Length: 3\\r\\n\\r\\n"}');
		expect(await pass(cut(Buffer.from(stream), size))).toEqual({ output: stream });
	});

	it("drops chatter before a header and other header fields", async () => {
		const stream = `Starting...\nContent-Type: x; charset=utf-8\r\nContent-Length: 2\r\n\r\n{}`;
		expect(await pass([Buffer.from(stream)])).toEqual({ output: frame("{}") });
	});

	it.each([
		["text with an end of header", "hello\r\n\r\n", /not the language server protocol: "hello"/],
		["a header without an end", "x".repeat(9000), /not the language server protocol/],
		["a length that is no number", "Content-Length: many\r\n\r\n", /not the language server protocol/],
		[
			"a length beyond all sense",
			"Content-Length: 99999999999\r\n\r\n",
			/announced a message of 99999999999 bytes/,
		],
	])("ends with an error for %s", async (_name, stream, message) => {
		expect((await pass(cut(Buffer.from(stream), 1000))).error).toMatch(message);
	});
});
