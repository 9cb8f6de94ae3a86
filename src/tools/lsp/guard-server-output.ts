import { Transform, type TransformCallback } from "node:stream";
import { LSP_LIMITS } from "./lsp-limits.ts";

const HEADER_END = Buffer.from("\r\n\r\n");
const HEADER_START = /content-(length|type)\s*:/i;

/**
 * Lets well-formed `Content-Length` frames through and ends the stream with an error on anything else. The
 * library's own reader keeps an endless header in memory and looks through all of it again for every chunk.
 * A few lines of chatter before a header (wrapper scripts print them) are dropped rather than fatal.
 */
export function guardServerOutput(): Transform {
	const state: GuardState = { header: Buffer.alloc(0), bodyBytesLeft: 0, junkBytes: 0 };
	return new Transform({
		transform(chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback) {
			try {
				for (const part of takeFrames(state, chunk)) this.push(part);
				done();
			} catch (error) {
				done(error instanceof Error ? error : new Error(String(error)));
			}
		},
	});
}

interface GuardState {
	header: Buffer;
	bodyBytesLeft: number;
	junkBytes: number;
}

function* takeFrames(state: GuardState, chunk: Buffer): Generator<Buffer> {
	let rest = chunk;
	while (rest.length > 0) {
		if (state.bodyBytesLeft > 0) {
			const body = rest.subarray(0, state.bodyBytesLeft);
			state.bodyBytesLeft -= body.length;
			rest = rest.subarray(body.length);
			yield body;
			continue;
		}
		const seen = Buffer.concat([state.header, rest]);
		const end = seen.indexOf(HEADER_END);
		if (end === -1) {
			keepHeader(state, seen);
			return;
		}
		state.header = Buffer.alloc(0);
		rest = seen.subarray(end + HEADER_END.length);
		yield openFrame(state, seen.subarray(0, end).toString("latin1"));
	}
}

/** Nothing that cannot be the start of a header is kept, so memory stays at one header. */
function keepHeader(state: GuardState, seen: Buffer): void {
	if (seen.length <= LSP_LIMITS.maxHeaderBytes) {
		state.header = Buffer.from(seen);
		return;
	}
	throw new Error(describeGarbage(seen.toString("utf8", 0, 200)));
}

function openFrame(state: GuardState, head: string): Buffer {
	const start = head.search(HEADER_START);
	if (start === -1) throw new Error(describeGarbage(head));
	state.junkBytes += start;
	if (state.junkBytes > LSP_LIMITS.maxJunkBytes) throw new Error(describeGarbage(head));
	const fields = head.slice(start);
	const length = Number(/content-length\s*:\s*(\d{1,12})\s*(?:\r\n|$)/i.exec(fields)?.[1] ?? Number.NaN);
	if (Number.isNaN(length)) throw new Error(describeGarbage(fields));
	if (length > LSP_LIMITS.maxMessageBytes) {
		throw new Error(`it announced a message of ${length} bytes; the limit is ${LSP_LIMITS.maxMessageBytes}`);
	}
	state.bodyBytesLeft = length;
	return Buffer.from(`Content-Length: ${length}\r\n\r\n`);
}

function describeGarbage(text: string): string {
	return `it wrote something that is not the language server protocol: ${JSON.stringify(text.slice(0, 120))}`;
}
