import { readSync } from "node:fs";
import { withRegularFile } from "./with-regular-file.ts";

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
	return withRegularFile(file, (descriptor, { ino, size }) => {
		const { offset, maxBytes } = choose(size);
		const bytes = Buffer.alloc(Math.max(0, Math.min(maxBytes, size - offset)));
		const count = readSync(descriptor, bytes, 0, bytes.length, offset);
		return { bytes: bytes.subarray(0, count), inode: ino, size };
	});
}
