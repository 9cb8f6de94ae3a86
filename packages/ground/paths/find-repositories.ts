import { existsSync } from "node:fs";
import { join } from "node:path";
import { isInside } from "./is-inside.ts";

/**
 * Those of the directories, given from the inside out, that are the top of a repository. The search ends before the home
 * directory and what is around it: a repository there does not make everything of the user's one project. Git is not asked.
 */
export function findRepositories(directories: Iterable<string>, home: string): readonly string[] {
	const found: string[] = [];
	for (const directory of directories) {
		if (isInside(directory, home)) break;
		if (existsSync(join(directory, ".git"))) found.push(directory);
	}
	return found;
}
