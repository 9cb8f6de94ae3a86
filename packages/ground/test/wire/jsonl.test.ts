import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createLineSplitter, peekEventType } from "../../wire/jsonl.ts";

interface Split {
	lines: string[];
	skipped: number[];
	unfinished: boolean;
}

/** Lines as latin1, so that every byte can be compared. */
function split(chunks: Iterable<Uint8Array>, maxLineBytes = 1024): Split {
	const lines: string[] = [];
	const skipped: number[] = [];
	const splitter = createLineSplitter({
		maxLineBytes,
		onLine: (line) => lines.push(line.toString("latin1")),
		onSkip: (lengthBytes) => skipped.push(lengthBytes),
	});
	for (const chunk of chunks) splitter.push(chunk);
	return { lines, skipped, unfinished: splitter.end() };
}

/** The meaning of the splitter in one line of code per rule, without any care for memory. */
function splitAtOnce(bytes: Buffer, maxLineBytes: number): Split {
	const parts = bytes.toString("latin1").split("\n");
	const last = parts.pop() ?? "";
	if (last !== "") parts.push(last);
	if (parts[0]?.startsWith("\xef\xbb\xbf") && parts[0].length <= maxLineBytes) parts[0] = parts[0].slice(3);
	return {
		lines: parts.filter((part) => part.length <= maxLineBytes),
		skipped: parts.filter((part) => part.length > maxLineBytes).map((part) => part.length),
		unfinished: last !== "",
	};
}

/** Bytes in which line ends are frequent, cut anywhere, single bytes and empty chunks included. */
const chunked = fc
	.tuple(
		fc.array(
			fc.oneof(
				fc.constant(Buffer.from("\n")),
				fc.constant(Buffer.from("\r\n")),
				fc.constant(Buffer.from("\ufeff")),
				fc.constant(Buffer.from("\u2028é€𝄞")),
				fc.uint8Array({ maxLength: 40 }).map((bytes) => Buffer.from(bytes)),
			),
			{ maxLength: 40 },
		),
		fc.array(fc.nat(200), { maxLength: 60 }),
	)
	.map(([parts, sizes]) => {
		const bytes = Buffer.concat(parts);
		const chunks: Buffer[] = [];
		let at = 0;
		for (const size of sizes) {
			chunks.push(bytes.subarray(at, at + size));
			at += size;
		}
		chunks.push(bytes.subarray(Math.min(at, bytes.length)));
		return { bytes, chunks };
	});

describe("the line splitter", () => {
	it("gives the same lines for any bytes in any chunks, and skips exactly the lines that are too long", () => {
		fc.assert(
			fc.property(chunked, fc.integer({ min: 3, max: 80 }), ({ bytes, chunks }, maxLineBytes) => {
				expect(split(chunks, maxLineBytes)).toEqual(splitAtOnce(bytes, maxLineBytes));
			}),
			{ numRuns: 1000 },
		);
	});

	it("keeps a character that is cut in half by a chunk", () => {
		const bytes = Buffer.from('{"text":"naïve 𝄞"}\n');
		for (let cut = 0; cut <= bytes.length; cut++) {
			const lines: string[] = [];
			const splitter = createLineSplitter({
				maxLineBytes: 100,
				onLine: (line) => lines.push(line.toString()),
			});
			splitter.push(bytes.subarray(0, cut));
			splitter.push(bytes.subarray(cut));
			expect(lines).toEqual(['{"text":"naïve 𝄞"}']);
		}
	});

	it("splits at LF only", () => {
		expect(split([Buffer.from("a\u2028b\rc\u0085d\r\ne\n")]).lines).toEqual(
			["a\u2028b\rc\u0085d\r", "e"].map((line) => Buffer.from(line).toString("latin1")),
		);
	});

	it("drops a byte order mark before the first line and nowhere else", () => {
		const bytes = Buffer.from("\ufeffa\n\ufeffb\n");
		expect(split([bytes]).lines).toEqual(["a", "\xef\xbb\xbfb"]);
		expect(split([...bytes].map((byte) => Buffer.from([byte]))).lines).toEqual(["a", "\xef\xbb\xbfb"]);
	});

	it("delivers empty lines", () => {
		expect(split([Buffer.from("\n\na\n\n")]).lines).toEqual(["", "", "a", ""]);
	});

	it("says whether the writer was cut off", () => {
		expect(split([Buffer.from("a\nb")])).toEqual({ lines: ["a", "b"], skipped: [], unfinished: true });
		expect(split([Buffer.from("a\nb\n")]).unfinished).toBe(false);
		expect(split([Buffer.from("a\nbbbbbbbb")], 4)).toEqual({ lines: ["a"], skipped: [8], unfinished: true });
	});

	it("hands over lines that a later chunk cannot change", () => {
		const lines: Buffer[] = [];
		const splitter = createLineSplitter({ maxLineBytes: 10_000, onLine: (line) => lines.push(line) });
		for (const text of ["abc", "def\n", "x".repeat(5000), "y".repeat(3000), "\nzzz\n"]) {
			splitter.push(Buffer.from(text));
		}
		expect(lines.map(String)).toEqual(["abcdef", "x".repeat(5000) + "y".repeat(3000), "zzz"]);
	});

	it("holds no more than the limit while a line of 100 MB passes", () => {
		const skipped: number[] = [];
		const lines: string[] = [];
		const splitter = createLineSplitter({
			maxLineBytes: 1024 * 1024,
			onLine: (line) => lines.push(line.toString()),
			onSkip: (lengthBytes) => skipped.push(lengthBytes),
		});
		const chunk = Buffer.alloc(64 * 1024, "x");
		global.gc?.();
		const before = process.memoryUsage().arrayBuffers;
		let most = 0;
		for (let written = 0; written < 100 * 1024 * 1024; written += chunk.length) {
			splitter.push(chunk);
			most = Math.max(most, process.memoryUsage().arrayBuffers - before);
		}
		splitter.push(Buffer.from("\nnext\n"));
		expect(skipped).toEqual([100 * 1024 * 1024]);
		expect(lines).toEqual(["next"]);
		expect(most).toBeLessThan(8 * 1024 * 1024);
	});
});

describe("the event type of a line", () => {
	it.each([
		['{"type":"message_end","message":{}}', "message_end"],
		['{"type":"","x":1}', ""],
		['{"type":"agent_settled"}', "agent_settled"],
		['{"type":"a\\u0062"}', undefined],
		['{ "type":"spaced"}', undefined],
		['{"id":1,"type":"later"}', undefined],
		['{"type":5}', undefined],
		['{"type":"never closed', undefined],
		[`{"type":"${"x".repeat(100)}"}`, undefined],
		["", undefined],
		["null", undefined],
		["plain text", undefined],
	])("of %s is %s", (line, type) => {
		expect(peekEventType(Buffer.from(line))).toBe(type);
	});

	it("agrees with a full parse whenever it gives an answer", () => {
		fc.assert(
			fc.property(
				fc.record({ type: fc.string({ maxLength: 20, unit: "grapheme" }), rest: fc.jsonValue() }),
				(event) => {
					const type = peekEventType(Buffer.from(JSON.stringify(event)));
					expect([event.type, undefined]).toContain(type);
				},
			),
		);
	});

	it("is never more than a look at the beginning, whatever the bytes", () => {
		fc.assert(
			fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => void peekEventType(Buffer.from(bytes))),
		);
	});
});
