import { createLineSplitter, decodeExactly } from "@deputize/ground";
import { LIMITS } from "../../contract/limits.ts";
import { BatchError } from "../batch-error.ts";
import { BATCH_LIMITS } from "../batch-limits.ts";

export interface InputLine {
	/** Without its line break. */
	readonly text: string;
	/** Counted from 1. */
	readonly number: number;
}

/** The lines of an input as they come. What cannot be read as text is refused with its line: a guess would go to the model. */
export async function* readInputLines(
	stream: AsyncIterable<Uint8Array>,
	name: string,
): AsyncGenerator<InputLine> {
	let lines: InputLine[] = [];
	let number = 0;
	const splitter = createLineSplitter({
		maxLineBytes: LIMITS.maxLineBytes,
		onLine(bytes) {
			number += 1;
			lines.push({ text: decodeLine(bytes, `line ${number} of ${name}`), number });
		},
		onSkip(lengthBytes) {
			throw new BatchError(
				`In line ${number + 1} of ${name}: ${lengthBytes} bytes; a line has at most ${LIMITS.maxLineBytes}.`,
			);
		},
	});
	let totalBytes = 0;
	for await (const chunk of fromUtf16(stream)) {
		totalBytes += chunk.length;
		if (totalBytes > BATCH_LIMITS.maxInputBytes)
			throw new BatchError(`${name} is larger than ${BATCH_LIMITS.maxInputBytes} bytes. Split the input.`);
		splitter.push(chunk);
		yield* lines;
		lines = [];
	}
	splitter.end();
	yield* lines;
}

/** UTF-16 with a byte order mark, as Excel saves "Unicode text", becomes UTF-8; anything else stays as it is. */
async function* fromUtf16(stream: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
	let head = Buffer.alloc(0);
	let decoder: InstanceType<typeof TextDecoder> | undefined;
	let isKnown = false;
	for await (const chunk of stream) {
		const bytes = isKnown ? chunk : Buffer.concat([head, chunk]);
		if (!isKnown && bytes.length < 2) {
			head = Buffer.from(bytes);
			continue;
		}
		if (!isKnown) decoder = chooseDecoder(bytes);
		isKnown = true;
		yield decoder === undefined ? bytes : Buffer.from(decoder.decode(bytes, { stream: true }));
	}
	if (!isKnown) yield head;
	if (decoder !== undefined) yield Buffer.from(decoder.decode());
}

function chooseDecoder([first, second]: Uint8Array): InstanceType<typeof TextDecoder> | undefined {
	if (first === 0xff && second === 0xfe) return new TextDecoder("utf-16le");
	return first === 0xfe && second === 0xff ? new TextDecoder("utf-16be") : undefined;
}

function decodeLine(bytes: Buffer, place: string): string {
	if (bytes.includes(0))
		throw new BatchError(
			`In ${place}: a NUL byte. If this is UTF-16 without a byte order mark, convert it: iconv -f UTF-16LE -t UTF-8`,
		);
	const text = decodeExactly(bytes, "utf-8");
	if (text !== undefined) return text;
	const before = new TextDecoder("utf-8").decode(bytes).split("\ufffd", 1)[0] ?? "";
	const byte = bytes[Buffer.byteLength(before)] ?? 0;
	throw new BatchError(
		`In ${place}: the byte 0x${byte.toString(16).toUpperCase()} after ${JSON.stringify(before.slice(-20))} is not UTF-8. If this is Latin-1 or Windows-1252, convert it: iconv -f WINDOWS-1252 -t UTF-8`,
	);
}
