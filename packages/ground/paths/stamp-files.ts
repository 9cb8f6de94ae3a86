import type { Stats } from "node:fs";
import { statIfThere } from "./stat-if-there.ts";

/** A text that is another one when one of the files was changed, replaced, made or removed. */
export function stampFiles(files: readonly string[]): string {
	return files.map((file) => `${file} ${stampFile(file)}`).join("\n");
}

function stampFile(file: string): string {
	const found = statIfThere(file);
	return found === undefined ? "-" : toStamp(found);
}

/** Two equal ones mean the same content. The time of the last change can be set back by anybody, `ctime` by nobody. */
export function toStamp({ ino, size, mtimeMs, ctimeMs }: Stamped): string {
	return `${ino} ${size} ${mtimeMs} ${ctimeMs}`;
}

type Stamped = Pick<Stats, "ino" | "size" | "mtimeMs" | "ctimeMs">;
