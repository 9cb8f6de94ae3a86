import { findRepositories, listAncestors } from "@deputize/ground";

/**
 * Everything whose programs are a stranger's until somebody trusts the project: the outermost repository around the working
 * directory, or that itself. The outermost, because the one around a submodule came from the same place.
 */
export function findProject(cwd: string, home: string): string {
	return findRepositories(listAncestors(cwd), home).at(-1) ?? cwd;
}
