import { lstatSync, readdirSync } from "node:fs";

/** Bounds what is looked at; a child can make any number of files. */
const MAX_TOUCHED = 1_000_000;

/** What a child wrote or removed, from the upper directory of a layer: paths as characters of one byte each. */
export interface Touched {
	/** Files and links, and what is gone. */
	readonly paths: ReadonlySet<string>;
	/** Files, links and whole directories that were removed. */
	readonly gone: ReadonlySet<string>;
	/** Bytes on the disk. */
	readonly bytes: number;
}

const BLOCK_BYTES = 512;

export function listTouched(upper: string): Touched {
	const paths = new Set<string>();
	const gone = new Set<string>();
	let bytes = 0;
	const visit = (directory: Buffer, prefix: string): void => {
		for (const name of readEntries(directory)) {
			if (paths.size >= MAX_TOUCHED) return;
			const path = Buffer.concat([directory, SLASH, name]);
			const raw = `${prefix}${name.toString("latin1")}`;
			const entry = lstatSync(path, { throwIfNoEntry: false });
			if (entry === undefined) continue;
			bytes += entry.blocks * BLOCK_BYTES;
			if (entry.isDirectory()) visit(path, `${raw}/`);
			else paths.add(raw);
			// How the kernel notes that something below is not there any more.
			if (entry.isCharacterDevice() && entry.rdev === 0) gone.add(raw);
		}
	};
	visit(Buffer.from(upper), "");
	return { paths, gone, bytes };
}

const SLASH = Buffer.from("/");

/** None in a directory that a child has closed. */
function readEntries(directory: Buffer): readonly Buffer[] {
	try {
		return readdirSync(directory, { encoding: "buffer" });
	} catch {
		return [];
	}
}
