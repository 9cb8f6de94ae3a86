import { closeSync, constants, fstatSync, openSync, readSync, type Stats } from "node:fs";

/** Neither follows a link nor waits for the other end of a pipe. */
export const OPEN_REGULAR = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

/**
 * What `work` makes of a regular file, opened without following a link or waiting for the other end of a pipe. Undefined
 * when there is no such file, or it may not be opened.
 */
export function withRegularFile<Made>(
	file: string | Buffer,
	work: (descriptor: number, entry: Stats) => Made,
): Made | undefined {
	let descriptor: number;
	try {
		descriptor = openSync(file, OPEN_REGULAR);
	} catch {
		return undefined;
	}
	try {
		const entry = fstatSync(descriptor);
		return entry.isFile() ? work(descriptor, entry) : undefined;
	} finally {
		closeSync(descriptor);
	}
}

interface FilePart {
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
	return withRegularFile(file, (descriptor, { ino, size }) => {
		const { offset, maxBytes } = choose(size);
		const bytes = Buffer.alloc(Math.max(0, Math.min(maxBytes, size - offset)));
		const count = readSync(descriptor, bytes, 0, bytes.length, offset);
		return { bytes: bytes.subarray(0, count), inode: ino, size };
	});
}
