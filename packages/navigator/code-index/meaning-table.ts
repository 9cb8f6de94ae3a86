/**
 * Vectors of word pieces, 256 numbers of eight bits each with one scale a row, trained so that a description lies near its
 * code (docs/decisions/meaning.md).
 */
export interface MeaningTable {
	readonly width: number;
	readonly pieces: ReadonlyMap<string, number>;
	readonly scales: Float32Array;
	readonly values: Int8Array;
}

const HEADER_NUMBERS = 3;

/** File: count, width and bytes of the piece list (three 32-bit numbers), the pieces by line, padding, scales, values. */
export function parseMeaningTable(bytes: Uint8Array): MeaningTable {
	const header = new Uint32Array(copyOf(bytes, 0, HEADER_NUMBERS * 4));
	const [count = 0, width = 0, listBytes = 0] = header;
	const listStart = HEADER_NUMBERS * 4;
	const scaleStart = listStart + listBytes;
	const valueStart = scaleStart + count * 4;
	if (bytes.length !== valueStart + count * width) throw new Error("the table of meanings is damaged");
	const list = new TextDecoder().decode(bytes.subarray(listStart, scaleStart)).trimEnd().split("\n");
	if (list.length !== count) throw new Error("the table of meanings is damaged");
	return {
		width,
		pieces: new Map(list.map((piece, number) => [piece, number])),
		scales: new Float32Array(copyOf(bytes, scaleStart, valueStart)),
		values: new Int8Array(bytes.buffer, bytes.byteOffset + valueStart, count * width),
	};
}

/** Numbers of four bytes must begin at a multiple of four, which a part of a larger buffer does not promise. */
function copyOf(bytes: Uint8Array, from: number, to: number): ArrayBuffer {
	return new Uint8Array(bytes.subarray(from, to)).buffer;
}
