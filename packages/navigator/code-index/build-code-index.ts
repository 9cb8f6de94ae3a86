import { lstatSync } from "node:fs";
import { join } from "node:path";
import { readPart, runSteps, type Steps, writeAtomically } from "@deputize/ground";
import { classifyPath, type PathKind } from "../classify-path.ts";
import type { CodeIndex, FileWords, IndexedFile } from "./code-index.ts";
import { createVocabulary, NO_WORDS, type Vocabulary } from "./collect-vocabulary.ts";
import { decodeIndex, encodeIndex, type StoredFile, type StoredIndex } from "./encode-index.ts";
import { prepareIndexCache } from "./index-cache.ts";
import { indexFile } from "./index-file.ts";
import { indexTexts } from "./index-texts.ts";
import { type FileStamp, pickStamp, readTreeFile } from "./read-tree-file.ts";

interface IndexSource {
	readonly root: string;
	/** Paths below the root, with slashes. Where there are too many, code comes before documents and data, and the last are left out. */
	readonly paths: readonly string[];
	/** Those that must not be left out for that reason. */
	readonly first?: readonly string[];
	/** Only the names of the files: for whoever may list but not read. */
	readonly namesOnly?: boolean;
	/** Where the words of unchanged files are kept between runs. */
	readonly cacheFile?: string;
	readonly signal?: AbortSignal;
}

const MAX_INDEXED_FILES = 20_000;
const MAX_INDEXED_BYTES = 48_000_000;
/** Less is indexed again as quickly as it is looked up. */
const MIN_CACHED_BYTES = 200_000;
const MAX_CACHE_BYTES = 128_000_000;
/** Words of files that are gone stay numbered: past this share of such files, the words are collected anew. */
const MAX_GONE_SHARE = 0.3;
/** Machine-written, or not text. */
const NOT_INDEXED =
	/(?:^|\/)(?:package-lock\.json|npm-shrinkwrap\.json|pnpm-lock\.yaml|go\.sum|[^/]*\.lock)$|\.(?:map|snap|tsbuildinfo|min\.[cm]?js|min\.css|svg|png|jpe?g|gif|webp|avif|ico|icns|bmp|tiff?|woff2?|ttf|otf|eot|pdf|zip|gz|tgz|xz|bz2|zst|7z|rar|jar|war|class|o|a|so|dylib|dll|exe|node|wasm|onnx|bin|dat|db|sqlite3?|mp[34]|mov|avi|mkv|wav|ogg|flac|pyc|docx?|xlsx?|pptx?|parquet|npy|npz|pt|safetensors)$/i;

/** Reads and indexes a tree, within bounds. Files that cannot be read are left out; that is no error. */
export function buildCodeIndex(source: IndexSource): Promise<CodeIndex> {
	return runSteps(indexTree(source), source.signal);
}

function* indexTree(source: IndexSource): Steps<CodeIndex> {
	const readable = source.paths.filter((path) => !NOT_INDEXED.test(path));
	const wanted = orderBySource(readable, source.first ?? []).slice(0, MAX_INDEXED_FILES);
	if (source.namesOnly === true)
		return indexTexts(
			wanted.map((path) => [path, ""]),
			{ leftOut: source.paths.length - wanted.length, cutOff: readable.length - wanted.length },
		);
	const stored = yield* readCache(source.cacheFile, wanted);
	let vocabulary: Vocabulary | undefined;
	// Numbering all stored words again is only needed when a file changed.
	const openVocabulary = (): Vocabulary => {
		vocabulary ??= createVocabulary(stored);
		return vocabulary;
	};
	const files: IndexedFile[] = [];
	const kept = new Map<string, StoredFile>();
	let bytes = 0;
	let isChanged = false;
	let looked = 0;
	for (const path of wanted) {
		yield;
		if (bytes >= MAX_INDEXED_BYTES) break;
		looked += 1;
		const known = stored && findUnchanged(source.root, path, stored);
		const found = known ?? (yield* indexFromDisk(source.root, path, openVocabulary));
		isChanged ||= known === undefined;
		if (found === undefined) continue;
		kept.set(path, found.stored);
		if (found.file === undefined) continue;
		bytes += found.stored.stamp.size;
		files.push(found.file);
	}
	const { words, stems, wholes } = vocabulary ?? stored ?? NO_WORDS;
	if (source.cacheFile !== undefined && isChanged && bytes >= MIN_CACHED_BYTES)
		yield* writeCache(source.cacheFile, { words, stems, wholes, files: kept });
	const leftOut = source.paths.length - files.length;
	return { words, stems, wholes, files, leftOut, cutOff: readable.length - looked };
}

/** A smaller tree is indexed whole, in the order it is listed. */
const MIN_ORDERED_FILES = 1000;
const CODE_FIRST: readonly PathKind[] = [
	"source",
	"declaration",
	"test",
	"example",
	"document",
	"fixture",
	"changelog",
	"data",
];

function orderBySource(paths: readonly string[], first: readonly string[]): readonly string[] {
	if (paths.length < MIN_ORDERED_FILES) return paths;
	const named = new Set(first);
	const places = new Map(
		paths.map((path) => {
			const place = CODE_FIRST.indexOf(classifyPath(path));
			return [path, named.has(path) ? -1 : place === -1 ? CODE_FIRST.length : place] as const;
		}),
	);
	return [...paths].sort((a, b) => (places.get(a) ?? 0) - (places.get(b) ?? 0));
}

interface FoundFile {
	readonly stored: StoredFile;
	/** Absent when it is not text. */
	readonly file?: IndexedFile;
}

/** The stored words of a file that is as it was. Its text is read when somebody asks for it. */
function findUnchanged(root: string, path: string, stored: StoredIndex): FoundFile | undefined {
	const known = stored.files.get(path);
	if (known === undefined) return undefined;
	const full = join(root, path);
	const now = lstatSync(full, { throwIfNoEntry: false });
	if (now?.isFile() !== true || !isSame(pickStamp(now), known.stamp)) return undefined;
	return { stored: known, ...(known.words && { file: openLater(full, path, known.words) }) };
}

function isSame(left: FileStamp, right: FileStamp): boolean {
	return left.mtimeMs === right.mtimeMs && left.ctimeMs === right.ctimeMs && left.size === right.size;
}

function openLater(full: string, path: string, words: FileWords): IndexedFile {
	let text: string | undefined;
	return {
		...words,
		path,
		get text() {
			text ??= readTreeFile(full)?.text ?? "";
			return text;
		},
	};
}

function* indexFromDisk(
	root: string,
	path: string,
	openVocabulary: () => Vocabulary,
): Steps<FoundFile | undefined> {
	const read = readTreeFile(join(root, path));
	if (read?.text === undefined) return read && { stored: { stamp: read.stamp } };
	const words = yield* indexFile(path, read.text, openVocabulary());
	return { stored: { stamp: read.stamp, words }, file: { path, text: read.text, ...words } };
}

function* readCache(file: string | undefined, wanted: readonly string[]): Steps<StoredIndex | undefined> {
	if (file === undefined) return undefined;
	try {
		// A file that somebody else could have put there: no link, no pipe, and not more than we would write.
		const read = readPart(file, () => ({ offset: 0, maxBytes: MAX_CACHE_BYTES }));
		const stored = read && (yield* decodeIndex(read.bytes));
		return stored && isMostlyThere(stored, wanted) ? stored : undefined;
	} catch {
		return undefined;
	}
}

function isMostlyThere({ files }: StoredIndex, wanted: readonly string[]): boolean {
	const there = wanted.filter((path) => files.has(path)).length;
	return files.size - there <= files.size * MAX_GONE_SHARE;
}

/** A cache that cannot be written costs time, nothing else. */
function* writeCache(file: string, index: StoredIndex): Steps<void> {
	try {
		const bytes = yield* encodeIndex(index);
		if (bytes.length <= MAX_CACHE_BYTES && prepareIndexCache(file) !== undefined)
			writeAtomically(file, bytes);
	} catch {
		// No room, a directory that is not ours, a read-only disk.
	}
}
