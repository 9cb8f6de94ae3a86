import { fchmodSync } from "node:fs";
import { withRegularFile } from "@deputize/ground";

/**
 * Takes a file away from everybody but its owner. The child that wrote it may have put a link in its place, so what is
 * changed is the opened file, and only when it is a regular file of this user. Anything else is left alone.
 */
export function makeFilePrivate(file: string): void {
	withRegularFile(file, (descriptor, { uid, nlink }) => {
		if (uid === (process.getuid?.() ?? uid) && nlink === 1) fchmodSync(descriptor, 0o600);
	});
}
