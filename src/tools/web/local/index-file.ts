import { readFile, utimes } from "node:fs/promises";
import { dirname } from "node:path";
import { promisify } from "node:util";
import { gunzip, gzip } from "node:zlib";
import { removeOldest, writeAtomically } from "@deputize/ground";
import type { LocalIndexState } from "./local-index.ts";
import { LOCAL_LIMITS } from "./local-limits.ts";

/** Changes when the shape or the way of splitting text changes, so that old files are built anew. */
const FORMAT = 1;

interface IndexFile {
	readonly format: number;
	readonly root: string;
	readonly state: LocalIndexState;
}

/** Undefined when there is none, or it is damaged, of another format or of another project. */
export async function readIndexFile(file: string, root: string): Promise<LocalIndexState | undefined> {
	try {
		const packed = await readFile(file);
		const options = { maxOutputLength: LOCAL_LIMITS.maxIndexFileBytes };
		const text = (await promisify(gunzip)(packed, options)) as Buffer;
		const parsed = JSON.parse(text.toString("utf8")) as Partial<IndexFile>;
		if (parsed.format !== FORMAT || parsed.root !== root || !Array.isArray(parsed.state?.files))
			return undefined;
		const now = new Date();
		await utimes(file, now, now);
		return parsed.state;
	} catch {
		return undefined;
	}
}

/** A failure to write costs time at the next start and nothing else, so it is not reported. */
export async function writeIndexFile(file: string, root: string, state: LocalIndexState): Promise<void> {
	try {
		const content: IndexFile = { format: FORMAT, root, state };
		const packed = await promisify(gzip)(JSON.stringify(content), { level: 1 });
		writeAtomically(file, packed);
		removeOldest(dirname(file), LOCAL_LIMITS.maxCachedProjects);
	} catch {
		return;
	}
}
