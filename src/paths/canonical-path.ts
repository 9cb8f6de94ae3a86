import { realpathSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";

/**
 * The path without symbolic links. Where the end of it does not exist, that of the nearest part that does, so
 * that a link in the middle cannot hide where a path leads. Never throws.
 */
export function canonicalPath(path: string): string {
	const absolute = resolve(path);
	try {
		return realpathSync.native(absolute);
	} catch {
		const parent = dirname(absolute);
		return parent === absolute ? absolute : join(canonicalPath(parent), basename(absolute));
	}
}
