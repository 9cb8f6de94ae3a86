import { closeSync, constants, lstatSync, mkdirSync, openSync, readlinkSync } from "node:fs";
import { dirname, join, parse, resolve, sep } from "node:path";
import { isInside } from "./is-inside.ts";
import { RefusedPathError } from "./refused-path-error.ts";

export interface DirectoryOptions {
	/** A tree that somebody else may have filled (`findProject`): none of its links is followed. */
	readonly tree?: string | undefined;
}

/** A directory that stays the same one, whatever its name leads to meanwhile. */
export interface OpenedDirectory {
	/** Where it really is. */
	readonly realPath: string;
	/** The path of an entry in it. */
	at(name: string): string;
	close(): void;
}

const MAX_LINKS = 40;

/** Opens the directory to write in it, and makes what is missing of it. */
export function openOwnDirectory(path: string, { tree }: DirectoryOptions = {}): OpenedDirectory {
	const realPath = followPath(resolve(path), tree);
	// Elsewhere a directory cannot be opened, or nothing can be named relative to an open one.
	if (process.platform !== "linux")
		return { realPath, at: (name) => join(realPath, name), close: () => undefined };
	const descriptor = openSync(realPath, constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW);
	const opened = `/proc/self/fd/${descriptor}`;
	const close = (): void => closeSync(descriptor);
	const isThere = readIfLink(opened);
	if (isThere === undefined) return { realPath, at: (name) => join(realPath, name), close };
	// It was looked at by its name and opened by its name: in between it can have been replaced.
	if (isThere !== realPath) {
		close();
		throw new RefusedPathError(
			`${path} was replaced while it was opened: it leads to ${isThere}. Nothing was written.`,
		);
	}
	return { realPath, at: (name) => join(opened, name), close };
}

/** As the system follows a path, but for links in the tree. */
function followPath(path: string, tree: string | undefined): string {
	const { root } = parse(path);
	let current = root;
	let links = 0;
	const names = path.slice(root.length).split(sep);
	for (let name = names.shift(); name !== undefined; name = names.shift()) {
		if (name === "" || name === ".") continue;
		const next = name === ".." ? dirname(current) : join(current, name);
		const entry = lstatSync(next, { throwIfNoEntry: false });
		if (entry === undefined) makeIfMissing(next);
		if (entry?.isSymbolicLink() !== true) {
			current = next;
			continue;
		}
		const target = resolve(current, readlinkSync(next));
		if (tree !== undefined && isInside(tree, next)) throw refuseLink(next, target);
		links += 1;
		if (links > MAX_LINKS) throw new RefusedPathError(`${path} leads through more than ${MAX_LINKS} links.`);
		const start = parse(target).root;
		names.unshift(...target.slice(start.length).split(sep));
		current = start;
	}
	return current;
}

function makeIfMissing(path: string): void {
	try {
		mkdirSync(path, { mode: 0o700 });
	} catch (error) {
		// Somebody else was faster; the next step looks at what they made.
		if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
	}
}

export function refuseLink(link: string, target: string): RefusedPathError {
	return new RefusedPathError(
		`${link} is a link and leads to ${target}. Nothing was written through it. Name that place itself if you mean it, or remove the link.`,
	);
}

export function readIfLink(path: string): string | undefined {
	try {
		return readlinkSync(path);
	} catch {
		return undefined;
	}
}
