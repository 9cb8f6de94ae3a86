import { existsSync, lstatSync } from "node:fs";
import { isAbsolute, join, resolve } from "node:path";
import { canonicalPath, listAncestors, readIfThere, statIfThere } from "@deputize/ground";
import { GitError } from "./git-error.ts";

export interface FoundRepository {
	/** The directory with `.git` in it, without links. */
	readonly top: string;
	readonly gitDirectory: string;
	/** Every directory and file that Git would take objects and names from, without links. */
	readonly places: readonly string[];
}

const MAX_POINTER_BYTES = 64 * 1024;
const MAX_ALTERNATES = 100;
/** What a link or a pointer in a Git directory can lead elsewhere as a whole. */
const READ_BY_GIT = ["HEAD", "refs", "packed-refs", "objects", "objects/pack", "config"];

/**
 * The repository with a work tree around a directory. Found by us, because Git also takes a directory of tracked files
 * for a bare repository, and a work tree from wherever `core.worktree` says. Undefined when there is none.
 */
export function findRepository(directory: string): FoundRepository | undefined {
	for (const top of listAncestors(canonicalPath(directory))) {
		const gitDirectory = locateGitDirectory(top);
		if (gitDirectory === undefined) continue;
		const common = canonicalPath(followPointer(gitDirectory, "commondir") ?? gitDirectory);
		const own = [gitDirectory, common].flatMap((at) => [at, ...READ_BY_GIT.map((name) => join(at, name))]);
		const places = [...own.filter((path) => existsSync(path)), ...listAlternates(join(common, "objects"))];
		return { top, gitDirectory, places: [...new Set(places.map(canonicalPath))] };
	}
	return undefined;
}

function locateGitDirectory(top: string): string | undefined {
	const entry = lstatSync(join(top, ".git"), { throwIfNoEntry: false });
	if (entry === undefined) return undefined;
	const path = entry.isFile() ? followPointer(top, ".git", "gitdir: ") : join(top, ".git");
	if (path !== undefined && isGitDirectory(path)) return canonicalPath(path);
	// As Git does: an empty directory of that name is no repository, a file that leads nowhere is a broken one.
	if (!entry.isFile()) return undefined;
	throw new GitError(`${join(top, ".git")} leads to ${path ?? "nothing"}, where there is no Git repository.`);
}

function isGitDirectory(path: string): boolean {
	const isShared = existsSync(join(path, "commondir"));
	const hasHead = lstatSync(join(path, "HEAD"), { throwIfNoEntry: false }) !== undefined;
	return hasHead && (isShared || statIfThere(join(path, "objects"))?.isDirectory() === true);
}

/** The path that a small file names, relative to the directory it is in. */
function followPointer(directory: string, name: string, prefix = ""): string | undefined {
	const text = readIfThere(join(directory, name), MAX_POINTER_BYTES)?.replace(/[\r\n]+$/, "");
	if (text === undefined || !text.startsWith(prefix)) return undefined;
	const path = text.slice(prefix.length);
	return path === "" ? undefined : resolve(directory, path);
}

/** Directories of objects that others lend, and that those borrow again. */
function listAlternates(objects: string): readonly string[] {
	const found: string[] = [];
	const waiting = [objects];
	for (let at = waiting.pop(); at !== undefined; at = waiting.pop()) {
		const text = readIfThere(join(at, "info/alternates"), MAX_POINTER_BYTES) ?? "";
		for (const line of text.split("\n").filter((line) => line !== "" && !line.startsWith("#"))) {
			const path = canonicalPath(isAbsolute(line) ? line : join(at, line));
			if (found.includes(path)) continue;
			if (found.length >= MAX_ALTERNATES)
				throw new GitError(`${objects} borrows objects from more than ${MAX_ALTERNATES} places.`);
			found.push(path);
			waiting.push(path);
		}
	}
	return found;
}
