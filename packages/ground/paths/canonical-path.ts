import { existsSync, realpathSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";

/**
 * The path without symbolic links. Where the end of it does not exist, that of the nearest part that does, so
 * that a link in the middle cannot hide where a path leads. Never throws.
 */
export function canonicalPath(path: string): string {
	const absolute = resolve(path);
	try {
		// Most places that are asked about do not exist, and an exception costs more than this look.
		if (existsSync(absolute)) return realpathSync.native(absolute);
	} catch {
		// It went away in between.
	}
	const parent = dirname(absolute);
	return parent === absolute ? absolute : join(canonicalPath(parent), basename(absolute));
}
