import { StringDecoder } from "node:string_decoder";

export interface SseEvent {
	/** The `event:` field; empty when the server sent none. */
	readonly event: string;
	/** All `data:` lines of the event, joined with a line feed. */
	readonly data: string;
	/** False only for a last event whose closing blank line never came: trust it no further than its content parses. */
	readonly complete: boolean;
}

export interface SseParserOptions {
	/** Characters one event may hold before the stream is refused. */
	readonly maxEventChars: number;
	readonly onEvent: (event: SseEvent) => void;
	/** A line that starts with a colon: a sign of life, not of progress. */
	readonly onComment?: () => void;
}

export interface SseParser {
	/** Throws `SseEventTooLargeError` once an event outgrows the limit; the parser is of no use afterwards. */
	push(chunk: Uint8Array): void;
	/** Hands over what was left without its blank line, if anything was. */
	end(): void;
}

export class SseEventTooLargeError extends Error {
	readonly maxEventChars: number;

	constructor(maxEventChars: number) {
		super(`One server-sent event is larger than ${maxEventChars} characters.`);
		this.name = "SseEventTooLargeError";
		this.maxEventChars = maxEventChars;
	}
}

/** Whether the first of two search results is the earlier one; negative means not found. */
function comesFirst(position: number, other: number): boolean {
	return position >= 0 && (other < 0 || position < other);
}

/**
 * Server-sent events, from bytes cut anywhere. `id:` and `retry:` are accepted and dropped: nothing here reconnects.
 *
 * Each chunk is decoded once and searched once. A line that is not finished waits as a list of pieces, because
 * growing one string and searching it again for every piece is quadratic: an 8 MB event in 1 KB pieces takes
 * tens of seconds that way.
 */
export function createSseParser(options: SseParserOptions): SseParser {
	const { maxEventChars, onEvent, onComment } = options;
	const decoder = new StringDecoder("utf8");
	let pieces: string[] = [];
	let piecesChars = 0;
	let eventName = "";
	let dataLines: string[] = [];
	let dataChars = 0;
	let atStart = true;
	let skipLineFeed = false;

	function dispatch(complete: boolean): void {
		if (dataLines.length > 0) {
			const data = dataLines.length === 1 ? (dataLines[0] as string) : dataLines.join("\n");
			const event = eventName;
			dataLines = [];
			dataChars = 0;
			eventName = "";
			onEvent({ event, data, complete });
			return;
		}
		eventName = "";
	}

	function acceptData(value: string): void {
		dataChars += value.length;
		if (dataChars > maxEventChars) throw new SseEventTooLargeError(maxEventChars);
		dataLines.push(value);
	}

	function acceptOtherField(line: string): void {
		const colon = line.indexOf(":");
		if (colon === 0) onComment?.();
		else if (colon > 0 && line.slice(0, colon) === "event") eventName = line.slice(colon + 1).trim();
		// A bare `data` line is an empty line of data, by the standard.
		else if (line === "data") acceptData("");
	}

	function acceptLine(line: string): void {
		if (line === "") dispatch(true);
		else if (line.startsWith("data:")) acceptData(line.slice(line.charCodeAt(5) === 0x20 ? 6 : 5));
		else acceptOtherField(line);
	}

	function finishLine(tail: string): void {
		if (piecesChars === 0) {
			acceptLine(tail);
			return;
		}
		pieces.push(tail);
		const line = pieces.join("");
		pieces = [];
		piecesChars = 0;
		acceptLine(line);
	}

	function keepPiece(piece: string): void {
		if (piece === "") return;
		pieces.push(piece);
		piecesChars += piece.length;
		if (piecesChars + dataChars > maxEventChars) throw new SseEventTooLargeError(maxEventChars);
	}

	/** What comes before the first line of this text: a byte order mark, or the second half of a CRLF. */
	function leadingCharsToSkip(text: string): number {
		const first = text.charCodeAt(0);
		const skipped = (atStart && first === 0xfeff) || (skipLineFeed && first === 0x0a);
		atStart = false;
		skipLineFeed = false;
		return skipped ? 1 : 0;
	}

	function acceptText(text: string): void {
		if (text === "") return;
		let from = leadingCharsToSkip(text);
		let lineFeed = text.indexOf("\n", from);
		let carriageReturn = text.indexOf("\r", from);
		while (lineFeed >= 0 || carriageReturn >= 0) {
			const endsWithReturn = comesFirst(carriageReturn, lineFeed);
			const end = endsWithReturn ? carriageReturn : lineFeed;
			finishLine(text.slice(from, end));
			from = end + 1;
			if (endsWithReturn) {
				skipLineFeed = from === text.length;
				if (lineFeed === from) from += 1;
				carriageReturn = text.indexOf("\r", from);
			}
			if (comesFirst(lineFeed, from)) lineFeed = text.indexOf("\n", from);
		}
		keepPiece(text.slice(from));
	}

	return {
		push(chunk) {
			acceptText(decoder.write(chunk as Buffer));
		},
		end() {
			acceptText(decoder.end());
			if (piecesChars > 0) finishLine("");
			dispatch(false);
		},
	};
}
