import { readSync } from "node:fs";
import { ToolError } from "@deputize/ground";
import type { Judge } from "./create-judge.ts";
import { type OpenedEntry, openJudgedFile } from "./open-judged.ts";

/** The bytes of a regular file that the judge allows; more than `maxBytes` is refused. */
export function readJudgedFile(path: string, judge: Judge, maxBytes: number, shown = path) {
	const file = openJudgedFile(path, judge, shown);
	try {
		const { size } = file.stats;
		if (size > maxBytes)
			throw new ToolError("FILE_TOO_LARGE", `${shown} has ${size} bytes; at most ${maxBytes} are read.`);
		return { bytes: readOpened(file), realPath: file.realPath, stats: file.stats };
	} finally {
		file.close();
	}
}

/** As much as the file had when it was opened: it may grow, or shrink, while it is read. */
export function readOpened({ descriptor, stats }: OpenedEntry, maxBytes = stats.size): Buffer {
	const size = Math.min(stats.size, maxBytes);
	const bytes = Buffer.allocUnsafe(size);
	let filled = 0;
	while (filled < size) {
		const count = readSync(descriptor, bytes, filled, size - filled, filled);
		if (count === 0) break;
		filled += count;
	}
	return bytes.subarray(0, filled);
}
