import { dirname, join } from "node:path";
import { crc32 } from "node:zlib";
import { asObject, asText, parseJson, readPart, writeAtomically } from "@deputize/ground";
import { prepareIndexCache } from "../code-index/index-cache.ts";
import type { SourceFile } from "./file-facts.ts";

/** What parsing has told about files, kept beside the words of a tree until the files change. */
export interface MarksCache {
	find(file: SourceFile): Uint32Array | undefined;
	add(file: SourceFile, marks: Uint32Array): void;
	/** Writes what was added, if that was much. */
	save(): void;
}

/** Raised with every change of a query or of `MARK_KINDS`: what an older version stored is then ignored. */
const FORMAT = 2;
const FILE_NAME = "syntax.json";
const MAX_BYTES = 16_000_000;
/** Less is parsed again as quickly as it is looked up. */
const MIN_ADDED_CHARS = 100_000;

/** Nothing is kept where the words of the tree are not. */
export function openMarksCache(wordsFile: string | undefined): MarksCache {
	const path = wordsFile && join(dirname(wordsFile), FILE_NAME);
	let known: Map<string, string> | undefined;
	let added = 0;
	const read = (): Map<string, string> => {
		known ??= path === undefined ? new Map() : readMarks(path);
		return known;
	};
	return {
		find(file) {
			const packed = read().get(keyOf(file));
			return packed === undefined ? undefined : unpack(packed);
		},
		add(file, marks) {
			const { buffer, byteOffset, byteLength } = marks;
			// The file as it was before is of no use any more.
			for (const key of read().keys()) if (key.startsWith(`${file.path}\n`)) read().delete(key);
			read().set(keyOf(file), Buffer.from(buffer, byteOffset, byteLength).toString("base64"));
			added += file.text.length;
		},
		save() {
			if (path === undefined || added < MIN_ADDED_CHARS) return;
			added = 0;
			try {
				const text = JSON.stringify({ format: FORMAT, files: Object.fromEntries(read()) });
				if (text.length <= MAX_BYTES && prepareIndexCache(path) !== undefined) writeAtomically(path, text);
			} catch {
				// No room, a directory that is not ours, a read-only disk: it is parsed again next time.
			}
		},
	};
}

function keyOf({ path, text }: SourceFile): string {
	return `${path}\n${text.length}-${crc32(text)}`;
}

/** Numbers of four bytes must begin at a multiple of four, which a part of a larger buffer does not promise. */
function unpack(packed: string): Uint32Array | undefined {
	const bytes = new Uint8Array(Buffer.from(packed, "base64"));
	return bytes.length % 12 === 0 ? new Uint32Array(bytes.buffer, 0, bytes.length / 4) : undefined;
}

/** A child in a sandbox may write this file: what does not fit the text it is about is refused when it is used. */
function readMarks(path: string): Map<string, string> {
	try {
		const read = readPart(path, () => ({ offset: 0, maxBytes: MAX_BYTES }));
		const stored = asObject(parseJson(Buffer.from(read?.bytes ?? []).toString("utf8")));
		if (stored["format"] !== FORMAT) return new Map();
		return new Map(Object.entries(asObject(stored["files"])).map(([key, packed]) => [key, asText(packed)]));
	} catch {
		return new Map();
	}
}
