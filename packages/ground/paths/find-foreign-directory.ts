import { lstatSync } from "node:fs";
import { codeOf } from "../json/describe-thrown.ts";
import { isInside } from "./is-inside.ts";
import { listAncestors } from "./list-ancestors.ts";

const WRITABLE_BY_ALL = 0o002;
const WRITABLE_BY_OTHERS = 0o022;

/**
 * The first directory between `base` and `directory`, both included, in which somebody else could have put something: it
 * is a link or no directory, belongs to neither this user nor root, or takes files of others. The base itself may be open
 * to a group: where everybody has a group of their own, that is usual. Undefined when all are this user's; one that does
 * not exist cannot be foreign, nor anything below it.
 */
export function findForeignDirectory(base: string, directory: string): string | undefined {
	const uid = process.getuid?.();
	if (uid === undefined) return undefined;
	const way = [...listAncestors(directory)].filter((path) => isInside(base, path)).reverse();
	return way.find((path) => {
		const open = path === base ? WRITABLE_BY_ALL : WRITABLE_BY_OTHERS;
		try {
			// The base may be a link of the user's own; below it nobody but us makes anything.
			const entry = lstatSync(path === base ? `${path}/.` : path);
			return !entry.isDirectory() || ![uid, 0].includes(entry.uid) || (entry.mode & open) !== 0;
		} catch (error) {
			return codeOf(error) !== "ENOENT";
		}
	});
}
