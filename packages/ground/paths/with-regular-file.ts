import { closeSync, constants, fstatSync, openSync, type Stats } from "node:fs";

/** Neither follows a link nor waits for the other end of a pipe. */
export const OPEN_REGULAR = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

/**
 * What `work` makes of a regular file, opened without following a link or waiting for the other end of a pipe. Undefined
 * when there is no such file, or it may not be opened.
 */
export function withRegularFile<Made>(
	file: string,
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
