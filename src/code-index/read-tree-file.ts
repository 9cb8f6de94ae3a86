import { constants } from "node:fs";
import { open } from "node:fs/promises";

export interface TreeFile {
	readonly text: string;
	readonly mtimeMs: number;
	readonly size: number;
}

/** Larger files were put together by a program, and would be most of what is searched. */
export const MAX_FILE_BYTES = 600_000;
/** Code is broken into lines; more than this on an average line is a bundle or data. */
const MAX_MEAN_LINE_CHARS = 400;
const MIN_JUDGED_CHARS = 5000;
const LOOKED_AT_BYTES = 8000;

/** The text of a file, or undefined when it is not text somebody wrote. A link is not followed: it can lead out of the tree. */
export async function readTreeFile(path: string): Promise<TreeFile | undefined> {
	const flags = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);
	const file = await open(path, flags).catch(() => undefined);
	if (file === undefined) return undefined;
	try {
		const { size, mtimeMs, ...stat } = await file
			.stat()
			.then((found) => ({ size: found.size, mtimeMs: found.mtimeMs, regular: found.isFile() }));
		if (!stat.regular || size > MAX_FILE_BYTES) return undefined;
		const bytes = await file.readFile();
		if (bytes.subarray(0, LOOKED_AT_BYTES).includes(0)) return undefined;
		const text = bytes.toString("utf8");
		return isWritten(text) ? { text, mtimeMs, size } : undefined;
	} catch {
		return undefined;
	} finally {
		await file.close().catch(() => undefined);
	}
}

function isWritten(text: string): boolean {
	if (text.length < MIN_JUDGED_CHARS) return true;
	let lines = 1;
	for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) lines += 1;
	return text.length / lines <= MAX_MEAN_LINE_CHARS;
}
