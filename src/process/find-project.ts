import { findRepositories, isInside, listAncestors } from "@deputize/ground";

/**
 * Everything whose programs are a stranger's until somebody trusts the project: the outermost repository around the working
 * directory, or that itself. The outermost, because the one around a submodule came from the same place. Undefined in the
 * home directory and above it, where programs are the user's own.
 */
export function findProject(cwd: string, home: string): string | undefined {
	if (isInside(cwd, home)) return undefined;
	return findRepositories(listAncestors(cwd), home).at(-1) ?? cwd;
}
