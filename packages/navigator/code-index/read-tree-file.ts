import { closeSync, fstatSync, openSync, readSync } from "node:fs";
import { OPEN_REGULAR } from "@deputize/ground";

interface TreeFile {
	readonly stamp: FileStamp;
	/** Absent when it is not text that somebody wrote. */
	readonly text?: string;
}

/** What changes when a file does. */
export interface FileStamp {
	readonly mtimeMs: number;
	readonly ctimeMs: number;
	readonly size: number;
}

/** Larger files were put together by a program, and would be most of what is searched. */
export const MAX_FILE_BYTES = 600_000;
/** Code is broken into lines; more than this on an average line is a bundle or data. */
const MAX_MEAN_LINE_CHARS = 400;
const MIN_JUDGED_CHARS = 5000;
const LOOKED_AT_BYTES = 8000;

/**
 * A regular file, or undefined when there is none that can be read. A link is not followed: it can lead out of the tree.
 * At once rather than asynchronously: for thousands of small files, waiting for each takes longer than reading it.
 */
export function readTreeFile(path: string): TreeFile | undefined {
	let descriptor: number | undefined;
	try {
		descriptor = openSync(path, OPEN_REGULAR);
		const stats = fstatSync(descriptor);
		if (!stats.isFile()) return undefined;
		const stamp = pickStamp(stats);
		if (stats.size > MAX_FILE_BYTES) return { stamp };
		const bytes = readBytes(descriptor, stats.size);
		if (bytes.subarray(0, LOOKED_AT_BYTES).includes(0)) return { stamp };
		const text = bytes.toString("utf8");
		return isWritten(text) ? { stamp, text } : { stamp };
	} catch {
		return undefined;
	} finally {
		if (descriptor !== undefined) closeSync(descriptor);
	}
}

export function pickStamp({ mtimeMs, ctimeMs, size }: FileStamp): FileStamp {
	return { mtimeMs, ctimeMs, size };
}

/** No more than its size at the start: a file that grows meanwhile is not followed. */
function readBytes(descriptor: number, size: number): Buffer {
	const bytes = Buffer.allocUnsafe(size);
	let filled = 0;
	for (let read = -1; read !== 0 && filled < size; filled += read)
		read = readSync(descriptor, bytes, filled, size - filled, null);
	return bytes.subarray(0, filled);
}

function isWritten(text: string): boolean {
	if (text.length < MIN_JUDGED_CHARS) return true;
	let lines = 1;
	for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) lines += 1;
	return text.length / lines <= MAX_MEAN_LINE_CHARS;
}
