import { existsSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { canonicalPath } from "./canonical-path.ts";
import { isInside } from "./is-inside.ts";
import { listAncestors } from "./list-ancestors.ts";

/**
 * The tree around a directory that somebody else may have filled: its repository, or itself. Undefined in the home directory and
 * above it, where the links are the user's own.
 */
export function findProjectTop(directory: string, home: string = homedir()): string | undefined {
	const start = canonicalPath(directory);
	const end = canonicalPath(home);
	if (isInside(start, end)) return undefined;
	const below = [...listAncestors(start)].filter((at) => !isInside(at, end));
	return below.find((at) => existsSync(join(at, ".git"))) ?? start;
}
