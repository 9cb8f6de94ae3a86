import { closeSync, constants, lstatSync, mkdirSync, openSync } from "node:fs";
import { codeOf } from "../json/describe-thrown.ts";
import { RefusedPathError } from "./refused-path-error.ts";

const { O_RDONLY, O_DIRECTORY = 0, O_NOFOLLOW = 0 } = constants;
const FLAGS = O_RDONLY | O_DIRECTORY | O_NOFOLLOW;
const SLASH = Buffer.from("/");

/** A directory that stays the same one, whatever its name leads to meanwhile. Names are bytes, and not always text. */
interface DirectoryBelow {
	/** The path of an entry in it. */
	at(name: Uint8Array): Buffer;
	close(): void;
}

interface BelowOptions {
	/** Makes a directory that is missing, with these rights; without it that is an error of the system. */
	readonly mode?: (index: number) => number;
	/** So many of the names lead to one that was made. */
	readonly onMade?: (count: number) => void;
}

/**
 * Opens a directory below another by the names on the way, none of which may be a link: each is opened in the one before, so
 * that nobody can put a link in its place meanwhile. Like `openOwnDirectory`, for names that are bytes.
 */
export function openBelow(
	top: string,
	names: readonly Uint8Array[],
	options: BelowOptions = {},
): DirectoryBelow {
	const canOpen = process.platform === "linux";
	let path = Buffer.from(top);
	let opened = canOpen ? openSync(path, FLAGS) : undefined;
	const current = (): Buffer => (opened === undefined ? path : Buffer.from(`/proc/self/fd/${opened}`));
	const close = (): void => {
		if (opened !== undefined) closeSync(opened);
	};
	try {
		for (const [index, name] of names.entries()) {
			const next = Buffer.concat([current(), SLASH, name]);
			if (options.mode !== undefined && makeIfMissing(next, options.mode(index))) options.onMade?.(index + 1);
			path = Buffer.concat([path, SLASH, name]);
			const before = opened;
			opened = openDirectory(next, path, canOpen);
			if (before !== undefined) closeSync(before);
		}
	} catch (error) {
		close();
		throw error;
	}
	return { at: (name) => Buffer.concat([current(), SLASH, name]), close };
}

function openDirectory(entry: Buffer, path: Buffer, canOpen: boolean): number | undefined {
	try {
		if (canOpen) return openSync(entry, FLAGS);
		if (lstatSync(entry).isDirectory()) return undefined;
	} catch (error) {
		if (!["ELOOP", "ENOTDIR"].includes(codeOf(error) ?? "")) throw error;
	}
	throw new RefusedPathError(`${path} is no directory, or a link to one. Nothing was written through it.`);
}

function makeIfMissing(path: Buffer, mode: number): boolean {
	if (lstatSync(path, { throwIfNoEntry: false }) !== undefined) return false;
	try {
		mkdirSync(path, { mode });
		return true;
	} catch (error) {
		// Somebody else was faster; the next step looks at what they made.
		if (codeOf(error) !== "EEXIST") throw error;
		return false;
	}
}
