import { type Stats, statSync } from "node:fs";
import { listAncestors } from "./list-ancestors.ts";

const WRITABLE_BY_ALL = 0o002;

/**
 * The directory itself, then each one above it, up to the first that belongs to somebody else or that everybody may write
 * to: what is found there, and above, can be a stranger's. As Git's `safe.directory`, but whoever owns the directory
 * itself counts as its user does: to work in it was the user's choice.
 */
export function* listOwnAncestors(directory: string): Generator<string> {
	const uid = process.getuid?.();
	const owners = [uid, 0, statIfAllowed(directory)?.uid];
	for (const path of listAncestors(directory)) {
		const entry = path === directory ? undefined : statIfAllowed(path);
		const isForeign = entry && (!owners.includes(entry.uid) || (entry.mode & WRITABLE_BY_ALL) !== 0);
		if (uid !== undefined && isForeign) return;
		yield path;
	}
}

/** Undefined when it does not exist or may not be looked at; then nothing in it can be read either. */
function statIfAllowed(path: string): Stats | undefined {
	try {
		return statSync(path);
	} catch {
		return undefined;
	}
}
