import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
	createSseParser,
	type SseEvent,
	SseEventTooLargeError,
} from "../../../../src/loop/http/parse-sse.ts";

const LIMIT = 1024 * 1024;

function parseChunks(chunks: Iterable<Uint8Array>, maxEventChars = LIMIT) {
	const events: SseEvent[] = [];
	let comments = 0;
	const parser = createSseParser({
		maxEventChars,
		onEvent: (event) => events.push(event),
		onComment: () => {
			comments += 1;
		},
	});
	for (const chunk of chunks) parser.push(chunk);
	parser.end();
	return { events, comments };
}

function parse(text: string) {
	return parseChunks([Buffer.from(text)]);
}

function* cut(bytes: Uint8Array, size: number) {
	for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

const complete = (data: string, event = "") => ({ event, data, complete: true });

describe("createSseParser", () => {
	const table: [string, string, SseEvent[]][] = [
		["line feeds", "event: a\ndata: 1\n\ndata: 2\n\n", [complete("1", "a"), complete("2")]],
		[
			"carriage return and line feed",
			"event: a\r\ndata: 1\r\n\r\ndata: 2\r\n\r\n",
			[complete("1", "a"), complete("2")],
		],
		["lone carriage returns", "event: a\rdata: 1\r\rdata: 2\r\r", [complete("1", "a"), complete("2")]],
		[
			"line endings mixed in one stream",
			"data: 1\r\n\ndata: 2\n\r\ndata: 3\r\rdata: 4\n\n",
			["1", "2", "3", "4"].map((data) => complete(data)),
		],
		["a byte order mark", "\ufeffdata: 1\n\n", [complete("1")]],
		["several data lines", "data: {\ndata: }\n\n", [complete("{\n}")]],
		["no space after the colon", "data:1\n\n", [complete("1")]],
		["only the first space removed", "data:  1 \n\n", [complete(" 1 ")]],
		["an event name after the data", "data: 1\nevent: late\n\n", [complete("1", "late")]],
		["id, retry and unknown fields", "id: 7\nretry: 10\nwhat: ever\ndata: 1\n\n", [complete("1")]],
		["an event without data", "event: ping\n\ndata: 1\n\n", [complete("1")]],
		["an empty data field", "data:\n\n", [complete("")]],
		["a bare data field", "data\n\n", [complete("")]],
		["a colon inside the data", "data: a: b\n\n", [complete("a: b")]],
		["many blank lines", "\n\n\ndata: 1\n\n\n\n", [complete("1")]],
		[
			"an unfinished last event with a newline",
			"data: 1\n\ndata: 2\n",
			[complete("1"), { event: "", data: "2", complete: false }],
		],
		[
			"an unfinished last event without a newline",
			"data: 1\n\ndata: 2",
			[complete("1"), { event: "", data: "2", complete: false }],
		],
		["nothing", "", []],
	];

	it.each(table)("reads %s", (_name, text, expected) => {
		expect(parse(text).events).toEqual(expected);
	});

	it.each(table)("reads %s one byte at a time", (_name, text, expected) => {
		expect(parseChunks(cut(Buffer.from(text), 1)).events).toEqual(expected);
	});

	it("counts comments and never takes them for data", () => {
		const { events, comments } = parse(": OPENROUTER PROCESSING\n\n:\n\ndata: 1\n: between\ndata: 2\n\n");
		expect(comments).toBe(3);
		expect(events).toEqual([complete("1\n2")]);
	});

	it("keeps characters whole that were cut between chunks", () => {
		const text = "data: héllo 👩‍👩‍👧 \u2028 \u0085 終\n\n";
		for (const size of [1, 2, 3, 5, 7]) {
			expect(parseChunks(cut(Buffer.from(text), size)).events).toEqual([complete(text.slice(6, -2))]);
		}
	});

	it("gives the same events for every way to cut the bytes", () => {
		const line = fc.oneof(
			fc.string({ unit: "grapheme" }).map((value) => `data: ${value.replace(/[\r\n]/g, " ")}`),
			fc.constantFrom("event: x", ":c", "id: 1", "", "data", "data:", "junk"),
		);
		const ending = fc.constantFrom("\n", "\r\n", "\r");
		const stream = fc.array(fc.tuple(line, ending), { maxLength: 30 }).map((lines) => lines.flat().join(""));
		fc.assert(
			fc.property(stream, fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1 }), (text, sizes) => {
				const bytes = Buffer.from(text);
				const chunks: Uint8Array[] = [];
				for (let at = 0, turn = 0; at < bytes.length; turn += 1) {
					const size = sizes[turn % sizes.length] ?? 1;
					chunks.push(bytes.subarray(at, at + size));
					at += size;
				}
				expect(parseChunks(chunks)).toEqual(parseChunks([bytes]));
			}),
		);
	});

	it("reads one 8 MB event that arrives in 1 KB pieces", () => {
		const payload = "x".repeat(8 * 1024 * 1024);
		const { events } = parseChunks(cut(Buffer.from(`data: ${payload}\n\n`), 1024), 9 * 1024 * 1024);
		expect(events).toHaveLength(1);
		expect(events[0]?.data.length).toBe(payload.length);
	});

	it("refuses an event that outgrows the limit, in one line or in many", () => {
		const oneLine = cut(Buffer.from(`data: ${"x".repeat(5000)}`), 100);
		expect(() => parseChunks(oneLine, 1000)).toThrow(SseEventTooLargeError);
		const manyLines = cut(Buffer.from("data: 0123456789\n".repeat(500)), 100);
		expect(() => parseChunks(manyLines, 1000)).toThrow(SseEventTooLargeError);
	});

	it("counts the limit for each event, not for the stream", () => {
		const text = `data: ${"x".repeat(900)}\n\n`.repeat(50);
		expect(parseChunks(cut(Buffer.from(text), 64), 1000).events).toHaveLength(50);
	});
});
