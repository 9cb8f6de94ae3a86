const LINE_FEED = 0x0a;
const BYTE_ORDER_MARK = Buffer.from([0xef, 0xbb, 0xbf]);
const FIRST_CAPACITY_BYTES = 4096;
/** Enough of a dropped line to see what it was about. */
const HEAD_BYTES = 1024;

interface LineSplitterOptions {
	/** A longer line is dropped whole; the next line is read as usual. */
	readonly maxLineBytes: number;
	/** One line without its LF, in order. The bytes are the receiver's to keep. */
	onLine(line: Buffer): void;
	/** A line was too long. Called once per such line, at its end, with its first bytes. */
	onSkip?(lengthBytes: number, head: Buffer): void;
}

/**
 * Cuts a stream of bytes into lines at LF and nowhere else: CR and U+2028 stay inside the line, and bytes are
 * never decoded here, so a character split over two chunks cannot be damaged.
 * A line that spans chunks is collected in one buffer that doubles. Gluing chunk to chunk would copy the
 * beginning of a long line again for every chunk, and keeping the chunks would let a writer of single bytes
 * make us keep millions of objects.
 */
export function createLineSplitter(options: LineSplitterOptions) {
	let carried = Buffer.alloc(0);
	let carriedBytes = 0;
	/** Length of the over-long line we are inside of; 0 when we are not. */
	let skippedBytes = 0;
	let skippedHead = Buffer.alloc(0);
	let isFirstLine = true;

	function carry(part: Buffer): void {
		if (skippedBytes > 0) {
			skippedBytes += part.length;
			return;
		}
		const needed = carriedBytes + part.length;
		if (needed > options.maxLineBytes) {
			skippedBytes = needed;
			skippedHead = Buffer.concat([
				carried.subarray(0, Math.min(carriedBytes, HEAD_BYTES)),
				part.subarray(0, Math.max(0, HEAD_BYTES - carriedBytes)),
			]);
			forgetCarried();
			return;
		}
		if (needed > carried.length) {
			const grown = Buffer.allocUnsafe(
				Math.min(Math.max(needed, carried.length * 2, FIRST_CAPACITY_BYTES), options.maxLineBytes),
			);
			carried.copy(grown, 0, 0, carriedBytes);
			carried = grown;
		}
		part.copy(carried, carriedBytes);
		carriedBytes = needed;
	}

	function forgetCarried(): void {
		carried = Buffer.alloc(0);
		carriedBytes = 0;
	}

	function deliver(line: Buffer): void {
		const marked = isFirstLine && line.subarray(0, BYTE_ORDER_MARK.length).equals(BYTE_ORDER_MARK);
		isFirstLine = false;
		options.onLine(marked ? line.subarray(BYTE_ORDER_MARK.length) : line);
	}

	function finishLine(rest: Buffer): void {
		if (skippedBytes === 0 && carriedBytes === 0 && rest.length <= options.maxLineBytes) {
			deliver(rest);
			return;
		}
		carry(rest);
		if (skippedBytes > 0) {
			const lengthBytes = skippedBytes;
			skippedBytes = 0;
			isFirstLine = false;
			options.onSkip?.(lengthBytes, skippedHead);
			return;
		}
		const line = carried.subarray(0, carriedBytes);
		forgetCarried();
		deliver(line);
	}

	return {
		push(chunk: Uint8Array): void {
			const bytes = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
			let start = 0;
			for (let at = bytes.indexOf(LINE_FEED); at !== -1; at = bytes.indexOf(LINE_FEED, start)) {
				finishLine(bytes.subarray(start, at));
				start = at + 1;
			}
			if (start < bytes.length) carry(bytes.subarray(start));
		},
		/** Hands over an unfinished last line. True when there was one: the writer was cut off in the middle. */
		end(): boolean {
			const unfinished = carriedBytes > 0 || skippedBytes > 0;
			if (unfinished) finishLine(Buffer.alloc(0));
			return unfinished;
		},
	};
}

const TYPE_PREFIX = Buffer.from('{"type":"');
const MAX_TYPE_BYTES = 64;
const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/**
 * The event type of a JSON line, read from its first bytes so that lines nobody needs are never parsed: pi
 * repeats whole transcripts on one line. Undefined means "look inside": the type is not the first field, is
 * escaped, or this is no such line.
 */
export function peekEventType(line: Buffer): string | undefined {
	if (!line.subarray(0, TYPE_PREFIX.length).equals(TYPE_PREFIX)) return undefined;
	const rest = line.subarray(TYPE_PREFIX.length, TYPE_PREFIX.length + MAX_TYPE_BYTES);
	const end = rest.indexOf(QUOTE);
	if (end === -1 || rest.subarray(0, end).includes(BACKSLASH)) return undefined;
	return rest.toString("utf8", 0, end);
}
