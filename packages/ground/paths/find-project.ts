import { canonicalPath } from "./canonical-path.ts";
import { findRepositories } from "./find-repositories.ts";
import { isInside } from "./is-inside.ts";
import { listAncestors } from "./list-ancestors.ts";
import { readHome } from "./read-home.ts";

/**
 * Everything around a directory that somebody else may have filled, with programs and links: the outermost repository, or the
 * directory itself. The outermost, because the one around a submodule came from the same place. Undefined in the home directory
 * and above it, where all is the user's own.
 */
export function findProject(directory: string, home: string = readHome()): string | undefined {
	const start = canonicalPath(directory);
	const end = canonicalPath(home);
	if (isInside(start, end)) return undefined;
	return findRepositories(listAncestors(start), end).at(-1) ?? start;
}
