import { LSP_LIMITS } from "../lsp-limits.ts";

const HEADER_END = Buffer.from("\r\n\r\n");
const NOTHING = Buffer.alloc(0);
const PLAIN_HEADER = /^Content-Length: (\d{1,12})$/;
const HEADER_START = /content-(length|type)\s*:/i;

/** Takes the next bytes and hands on every body that is complete. Throws on anything that is not a frame. */
type OutputSplitter = (chunk: Buffer, onBody: (body: string) => void) => void;

interface SplitState {
	/** Bytes of a header that is not complete. */
	header: Buffer;
	/** Pieces of a body that is not complete. */
	body: Buffer[];
	bodyBytesLeft: number;
	junkBytes: number;
}

/**
 * Cuts a server's output into the bodies of its `Content-Length` frames, with a limit on their size and on chatter: a
 * few lines before a header (wrapper scripts print them) are dropped rather than fatal.
 */
export function createOutputSplitter(): OutputSplitter {
	const state: SplitState = { header: NOTHING, body: [], bodyBytesLeft: 0, junkBytes: 0 };
	return (chunk, onBody) => {
		let rest = chunk;
		while (rest.length > 0) {
			if (state.bodyBytesLeft === 0) {
				const afterHeader = takeHeader(state, rest);
				if (afterHeader === undefined) return;
				rest = afterHeader;
			}
			rest = takeBody(state, rest, onBody);
		}
	};
}

function takeBody(state: SplitState, bytes: Buffer, onBody: (body: string) => void): Buffer {
	const wanted = state.bodyBytesLeft;
	if (state.body.length === 0 && bytes.length >= wanted) {
		state.bodyBytesLeft = 0;
		onBody(bytes.toString("utf8", 0, wanted));
		return bytes.subarray(wanted);
	}
	const piece = bytes.subarray(0, state.bodyBytesLeft);
	state.bodyBytesLeft -= piece.length;
	state.body.push(piece);
	if (state.bodyBytesLeft === 0) {
		const whole = Buffer.concat(state.body);
		state.body = [];
		onBody(whole.toString("utf8"));
	}
	return bytes.subarray(piece.length);
}

/** What follows the header, or nothing while the header is not complete. */
function takeHeader(state: SplitState, bytes: Buffer): Buffer | undefined {
	const seen = state.header.length === 0 ? bytes : Buffer.concat([state.header, bytes]);
	const end = seen.indexOf(HEADER_END);
	if (end === -1) {
		keepHeader(state, seen);
		return undefined;
	}
	state.header = NOTHING;
	state.bodyBytesLeft = readLength(state, seen.toString("latin1", 0, end));
	return seen.subarray(end + HEADER_END.length);
}

/** Nothing that cannot be the start of a header is kept, so memory stays at one header. */
function keepHeader(state: SplitState, seen: Buffer): void {
	if (seen.length <= LSP_LIMITS.maxHeaderBytes) {
		state.header = Buffer.from(seen);
		return;
	}
	throw new Error(describeGarbage(seen.toString("utf8", 0, 200)));
}

function readLength(state: SplitState, head: string): number {
	const plain = PLAIN_HEADER.exec(head)?.[1];
	if (plain !== undefined) return checkLength(Number(plain));
	const start = head.search(HEADER_START);
	if (start === -1) throw new Error(describeGarbage(head));
	state.junkBytes += start;
	if (state.junkBytes > LSP_LIMITS.maxJunkBytes) throw new Error(describeGarbage(head));
	const fields = head.slice(start);
	const length = Number(/content-length\s*:\s*(\d{1,12})\s*(?:\r\n|$)/i.exec(fields)?.[1] ?? Number.NaN);
	if (Number.isNaN(length)) throw new Error(describeGarbage(fields));
	return checkLength(length);
}

function checkLength(length: number): number {
	if (length > LSP_LIMITS.maxMessageBytes) {
		throw new Error(`it announced a message of ${length} bytes; the limit is ${LSP_LIMITS.maxMessageBytes}`);
	}
	return length;
}

export function describeGarbage(text: string): string {
	return `it wrote something that is not the language server protocol: ${JSON.stringify(text.slice(0, 120))}`;
}
