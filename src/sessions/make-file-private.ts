import { closeSync, constants, fchmodSync, fstatSync, openSync } from "node:fs";

/**
 * Takes a file away from everybody but its owner. The child that wrote it may have put a link in its place, so what is
 * changed is the opened file, and only when it is a regular file of this user. Anything else is left alone.
 */
export function makeFilePrivate(file: string): void {
	let descriptor: number;
	try {
		const flags = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);
		descriptor = openSync(file, flags);
	} catch {
		// It was never written, or it is a link.
		return;
	}
	try {
		const entry = fstatSync(descriptor);
		const isOwn = entry.uid === (process.getuid?.() ?? entry.uid);
		if (entry.isFile() && isOwn && entry.nlink === 1) fchmodSync(descriptor, 0o600);
	} finally {
		closeSync(descriptor);
	}
}
