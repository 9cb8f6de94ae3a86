import { mkdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { canonicalPath, fingerprint, removeOldest } from "@deputize/ground";

/** Trees whose words are kept; of more, those that were not indexed for the longest time go. */
const MAX_CACHED_TREES = 32;
const FILE_NAME = "words.bin";

/** Where the words of one tree are kept: a directory of its own, so that a confined child can be given this one alone. */
export function locateIndexCache(agentDirectory: string, root: string): string {
	const name = fingerprint(canonicalPath(root), 32);
	return join(agentDirectory, "deputize", "code-index", name, FILE_NAME);
}

/** Makes the directory of a tree's cache, and room for it among the others. Undefined where it cannot be made. */
export function prepareIndexCache(file: string): string | undefined {
	const directory = dirname(file);
	try {
		if (mkdirSync(directory, { recursive: true, mode: 0o700 }) !== undefined)
			removeOldest(dirname(directory), MAX_CACHED_TREES);
		return directory;
	} catch {
		return undefined;
	}
}
