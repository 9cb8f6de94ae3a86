import { crc32 } from "node:zlib";
import type { FileWords, IndexedPassage, KnownWords } from "./code-index.ts";
import type { FileStamp } from "./read-tree-file.ts";

/** An index without its texts, and what each file looked like when it was indexed. */
export interface StoredIndex extends KnownWords {
	readonly files: ReadonlyMap<string, StoredFile>;
}

export interface StoredFile {
	readonly stamp: FileStamp;
	/** Absent for a file that is not text. */
	readonly words?: FileWords;
}

interface StoredHead {
	readonly words: string;
	readonly stems: string;
	readonly wholes: readonly number[];
	readonly files: readonly (readonly [path: string, ...stamp: number[]])[];
}

/** Raised when words are cut, counted or laid out differently: what an older version stored is then ignored. */
const FORMAT = 0xde9_0001;
const FRAME_NUMBERS = 5;
const NOT_TEXT = 0xffff_ffff;

/** Frame (format, checksum, bytes of the head, count of numbers, count of counts), head as JSON, numbers, counts. */
export function encodeIndex(index: StoredIndex): Uint8Array {
	const numbers: number[] = [];
	const counts: Uint8Array[] = [];
	for (const { words } of index.files.values()) pushFile(words, numbers, counts);
	const head: StoredHead = {
		words: index.words.join("\n"),
		stems: index.stems.join("\n"),
		wholes: [...index.wholes],
		files: [...index.files].map(([path, { stamp }]) => [path, stamp.mtimeMs, stamp.ctimeMs, stamp.size]),
	};
	const text = Buffer.from(JSON.stringify(head));
	const padding = Buffer.alloc((4 - (text.length % 4)) % 4, " ");
	const allNumbers = Uint32Array.from(numbers);
	const allCounts = Buffer.concat(counts);
	const body = Buffer.concat([text, padding, new Uint8Array(allNumbers.buffer), allCounts]);
	const frame = Uint32Array.of(
		FORMAT,
		crc32(body),
		text.length + padding.length,
		allNumbers.length,
		allCounts.length,
	);
	return Buffer.concat([new Uint8Array(frame.buffer), body]);
}

function pushFile(words: FileWords | undefined, numbers: number[], counts: Uint8Array[]): void {
	if (words === undefined) {
		numbers.push(NOT_TEXT);
		return;
	}
	const { passages, length, pathWords, definedWords } = words;
	numbers.push(passages.length, length, pathWords.length, ...pathWords, definedWords.size);
	for (const word of definedWords) numbers.push(word);
	for (const { first, last, words: inside, counts: times } of passages) {
		numbers.push(first, last, inside.length);
		for (const word of inside) numbers.push(word);
		counts.push(times);
	}
}

/** Undefined for anything that is not exactly what was stored: it is then indexed again. */
export function decodeIndex(bytes: Uint8Array): StoredIndex | undefined {
	const frameBytes = FRAME_NUMBERS * 4;
	if (bytes.length < frameBytes) return undefined;
	// Numbers of four bytes must begin at a multiple of four, which a part of a larger buffer does not promise.
	const whole = new Uint8Array(bytes).buffer;
	const [format, checksum, headBytes = 0, numberCount = 0, countCount = 0] = new Uint32Array(
		whole,
		0,
		FRAME_NUMBERS,
	);
	if (format !== FORMAT || bytes.length !== frameBytes + headBytes + numberCount * 4 + countCount)
		return undefined;
	if (crc32(bytes.subarray(frameBytes)) !== checksum) return undefined;
	try {
		const head = JSON.parse(
			new TextDecoder().decode(bytes.subarray(frameBytes, frameBytes + headBytes)),
		) as StoredHead;
		const numbers = new Uint32Array(whole, frameBytes + headBytes, numberCount);
		const counts = new Uint8Array(whole, frameBytes + headBytes + numberCount * 4, countCount);
		const words = head.words === "" ? [] : head.words.split("\n");
		return {
			words,
			stems: words.length === 0 ? [] : head.stems.split("\n"),
			wholes: new Set(head.wholes),
			files: takeFiles(head, numbers, counts),
		};
	} catch {
		return undefined;
	}
}

function takeFiles(
	head: StoredHead,
	numbers: Uint32Array,
	counts: Uint8Array,
): ReadonlyMap<string, StoredFile> {
	let at = 0;
	let counted = 0;
	const next = (): number => {
		const number = numbers[at];
		if (number === undefined) throw new RangeError("the stored index ends early");
		at += 1;
		return number;
	};
	const take = (length: number): Uint32Array => {
		at += length;
		return numbers.subarray(at - length, at);
	};
	const takePassage = (): IndexedPassage => {
		const [first, last, length] = [next(), next(), next()];
		counted += length;
		return { first, last, words: take(length), counts: counts.subarray(counted - length, counted) };
	};
	const takeWords = (): FileWords | undefined => {
		const passageCount = next();
		if (passageCount === NOT_TEXT) return undefined;
		const length = next();
		const pathWords = take(next());
		const definedWords = new Set(take(next()));
		return {
			length,
			pathWords,
			definedWords,
			passages: Array.from({ length: passageCount }, takePassage),
		};
	};
	return new Map(
		head.files.map(([path, mtimeMs = 0, ctimeMs = 0, size = 0]): [string, StoredFile] => {
			const words = takeWords();
			const stamp = { mtimeMs, ctimeMs, size };
			return [path, words === undefined ? { stamp } : { stamp, words }];
		}),
	);
}
