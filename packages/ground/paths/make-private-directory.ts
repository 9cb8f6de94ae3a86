import { mkdtempSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { RefusedPathError } from "./refused-path-error.ts";

const WRITABLE_BY_ALL = 0o002;
const STICKY = 0o1000;
/** What a user that does not exist in this namespace is shown as: root, in a container of an ordinary user. */
const NOBODY = 65534;

/**
 * A new directory for temporary files that only this user can enter (0700), with a name that nobody can guess. Refused
 * where somebody else could put another one in its place: in a directory of theirs, or one that everybody may write to and
 * that has no sticky bit.
 */
export function makePrivateDirectory(prefix: string, parent: string = tmpdir()): string {
	const uid = process.getuid?.();
	const { uid: owner, mode } = statSync(parent);
	const isOpen = (mode & WRITABLE_BY_ALL) !== 0 && (mode & STICKY) === 0;
	if (uid !== undefined && (isOpen || ![uid, 0, NOBODY].includes(owner)))
		throw new RefusedPathError(
			`${parent} is no place for temporary files: others could replace what is in it. Set TMPDIR to a directory of your own, or correct it (chmod +t).`,
		);
	return mkdtempSync(join(parent, prefix));
}
