import { type Stats, statSync } from "node:fs";
import { codeOf } from "../json/describe-thrown.ts";

/**
 * What is at a path, where links lead to; undefined when nothing is, also because a directory above it is a file: `throwIfNoEntry` of
 * Node 20 throws then, and that of Node 22 does not.
 */
export function statIfThere(path: string): Stats | undefined {
	try {
		return statSync(path);
	} catch (error) {
		if (["ENOENT", "ENOTDIR"].includes(codeOf(error))) return undefined;
		throw error;
	}
}
