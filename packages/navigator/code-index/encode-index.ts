import { crc32 } from "node:zlib";
import { isText, mapSteps, parseJson, parseWith, type Steps } from "@deputize/ground";
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
const FORMAT = 0xde9_0002;
const FRAME_NUMBERS = 5;
const NOT_TEXT = 0xffff_ffff;

/** Frame (format, checksum, bytes of the head, count of numbers, count of counts), head as JSON, numbers, counts. */
export function* encodeIndex(index: StoredIndex): Steps<Uint8Array> {
	const numbers: number[] = [];
	const counts: Uint8Array[] = [];
	yield* mapSteps(index.files.values(), ({ words }) => pushFile(words, numbers, counts));
	const head: StoredHead = {
		words: index.words.join("\n"),
		stems: index.stems.join("\n"),
		wholes: [...index.wholes],
		files: [...index.files].map(([path, { stamp }]) => [path, stamp.mtimeMs, stamp.ctimeMs, stamp.size]),
	};
	yield;
	const text = Buffer.from(JSON.stringify(head));
	yield;
	const padding = Buffer.alloc((4 - (text.length % 4)) % 4, " ");
	const allNumbers = Uint32Array.from(numbers);
	yield;
	const allCounts = Buffer.concat(counts);
	const body = Buffer.concat([text, padding, new Uint8Array(allNumbers.buffer), allCounts]);
	yield;
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

/**
 * Undefined for anything that is not exactly what was stored: it is then indexed again. A child in a sandbox may write this
 * file, so the checksum says nothing about who wrote it: every count and number is compared with what is really there.
 */
export function* decodeIndex(bytes: Uint8Array): Steps<StoredIndex | undefined> {
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
	yield;
	if (headBytes % 4 !== 0 || crc32(bytes.subarray(frameBytes)) !== checksum) return undefined;
	yield;
	try {
		const text = new TextDecoder().decode(bytes.subarray(frameBytes, frameBytes + headBytes));
		const head = parseWith<StoredHead>(parseJson(text), {
			words: isText,
			stems: isText,
			wholes: Array.isArray,
			files: (files) => Array.isArray(files) && files.every(isStoredName),
		});
		if (head === undefined) return undefined;
		yield;
		const words = splitWords(head.words);
		const stems = splitWords(head.stems);
		refuseUnless(
			stems.length === words.length &&
				head.wholes.every((word) => Number.isInteger(word) && words[word] !== undefined),
		);
		const numbers = new Uint32Array(whole, frameBytes + headBytes, numberCount);
		const counts = new Uint8Array(whole, frameBytes + headBytes + numberCount * 4, countCount);
		yield;
		const files = yield* takeFiles(head, words.length, numbers, counts);
		return { words, stems, wholes: new Set(head.wholes), files };
	} catch (error) {
		if (error instanceof RangeError) return undefined;
		throw error;
	}
}

const splitWords = (joined: string): readonly string[] => (joined === "" ? [] : joined.split("\n"));

function isStoredName(value: unknown): boolean {
	return (
		Array.isArray(value) && value.length === 4 && isText(value[0]) && value.slice(1).every(Number.isFinite)
	);
}

function refuseUnless(isRight: boolean): void {
	if (!isRight) throw new RangeError("the stored index contradicts itself");
}

function* takeFiles(
	head: StoredHead,
	wordCount: number,
	numbers: Uint32Array,
	counts: Uint8Array,
): Steps<ReadonlyMap<string, StoredFile>> {
	let at = 0;
	let counted = 0;
	const next = (): number => {
		const number = numbers[at];
		if (number === undefined) throw new RangeError("the stored index ends early");
		at += 1;
		return number;
	};
	/** So many numbers, each that of a word. */
	const takeWordsOf = (length: number): Uint32Array => {
		refuseUnless(length <= numbers.length - at);
		const taken = numbers.subarray(at, at + length);
		refuseUnless(taken.every((word) => word < wordCount));
		at += length;
		return taken;
	};
	const takePassage = (size: number): IndexedPassage => {
		const [first, last, length] = [next(), next(), next()];
		// A file has no more lines than bytes, but for the last one.
		refuseUnless(first >= 1 && last >= first && last <= size + 1 && length <= counts.length - counted);
		counted += length;
		return { first, last, words: takeWordsOf(length), counts: counts.subarray(counted - length, counted) };
	};
	const takeFile = (size: number): FileWords | undefined => {
		const passageCount = next();
		if (passageCount === NOT_TEXT) return undefined;
		// Each passage takes three numbers at least.
		refuseUnless(passageCount * 3 <= numbers.length - at);
		const length = next();
		const pathWords = takeWordsOf(next());
		const definedWords = new Set(takeWordsOf(next()));
		const passages = Array.from({ length: passageCount }, () => takePassage(size));
		return { length, pathWords, definedWords, passages };
	};
	const taken = yield* mapSteps(
		head.files,
		([path, mtimeMs = 0, ctimeMs = 0, size = 0]): [string, StoredFile] => {
			const words = takeFile(size);
			const stamp = { mtimeMs, ctimeMs, size };
			return [path, words === undefined ? { stamp } : { stamp, words }];
		},
	);
	refuseUnless(at === numbers.length && counted === counts.length);
	return new Map(taken);
}
