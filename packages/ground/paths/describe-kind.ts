import type { Stats } from "node:fs";

/** What something is that is no regular file, for a sentence. */
export function describeKind(stats: Stats): string {
	if (stats.isDirectory()) return "a directory";
	if (stats.isFIFO()) return "a named pipe";
	if (stats.isSocket()) return "a socket";
	return stats.isCharacterDevice() || stats.isBlockDevice() ? "a device" : "something else";
}
