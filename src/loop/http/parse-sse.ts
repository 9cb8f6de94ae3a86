import { StringDecoder } from "node:string_decoder";
import { createParser } from "eventsource-parser";

export interface SseEvent {
	/** The `event:` field; empty when the server sent none. */
	readonly event: string;
	/** All `data:` lines of the event, joined with a line feed. */
	readonly data: string;
	/** False only for a last event whose closing blank line never came: trust it no further than its content parses. */
	readonly complete: boolean;
}

interface SseParserOptions {
	/** Characters one event may contain before the stream is refused. */
	readonly maxEventChars: number;
	readonly onEvent: (event: SseEvent) => void;
	/** A line that starts with a colon: a sign of life, not of progress. */
	readonly onComment?: () => void;
}

export class SseEventTooLargeError extends Error {
	override readonly name = "SseEventTooLargeError";

	constructor(maxEventChars: number) {
		super(`One server-sent event is larger than ${maxEventChars} characters.`);
	}
}

/** Server-sent events, from bytes cut anywhere. `id:` and `retry:` are accepted and dropped: nothing here reconnects. */
export function createSseParser({ maxEventChars, onEvent, onComment }: SseParserOptions) {
	const decoder = new StringDecoder("utf8");
	let complete = true;
	let tooLarge = false;
	const parser = createParser({
		maxBufferSize: maxEventChars,
		onEvent({ event = "", data }) {
			// The library bounds what it keeps; an event that came in one piece was never kept.
			if (data.length > maxEventChars) throw new SseEventTooLargeError(maxEventChars);
			onEvent({ event: event.trim(), data, complete });
		},
		onError({ type }) {
			if (type === "max-buffer-size-exceeded") tooLarge = true;
		},
		...(onComment && { onComment: () => onComment() }),
	});

	function feed(text: string): void {
		parser.feed(text);
		if (tooLarge) throw new SseEventTooLargeError(maxEventChars);
	}

	return {
		/** Throws `SseEventTooLargeError` once an event outgrows the limit; the parser is of no use afterwards. */
		push: (chunk: Uint8Array): void => feed(decoder.write(chunk as Buffer)),
		/** Hands over what was left without its blank line, if anything was. */
		end(): void {
			feed(decoder.end());
			complete = false;
			feed("\n\n");
		},
	};
}
