import { closeSync, constants, fstatSync, openSync, readSync } from "node:fs";

export interface FilePart {
	readonly bytes: Buffer;
	readonly inode: number;
	/** Of the whole file. */
	readonly size: number;
}

/**
 * A part of a file that somebody else may be writing to. `choose` gets the size of the file that was opened, and says
 * from where to read and how much at most. Undefined when the file is missing, a link, or no file.
 */
export function readPart(
	file: string,
	choose: (size: number) => { readonly offset: number; readonly maxBytes: number },
): FilePart | undefined {
	let descriptor: number;
	try {
		descriptor = openSync(
			file,
			constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0),
		);
	} catch {
		return undefined;
	}
	try {
		const entry = fstatSync(descriptor);
		if (!entry.isFile()) return undefined;
		const { offset, maxBytes } = choose(entry.size);
		const bytes = Buffer.alloc(Math.max(0, Math.min(maxBytes, entry.size - offset)));
		const count = readSync(descriptor, bytes, 0, bytes.length, offset);
		return { bytes: bytes.subarray(0, count), inode: entry.ino, size: entry.size };
	} finally {
		closeSync(descriptor);
	}
}
