import { closeSync, constants, fstatSync, openSync, readFileSync } from "node:fs";

/** Files of settings, records and logins are far smaller. */
const MAX_BYTES = 64 * 1024 * 1024;

/**
 * The text of a file, or undefined when it is not there or may not be read. Neither are a pipe, on which a read could
 * wait forever, a device, and a file that somebody made too large.
 */
export function readIfThere(file: string, maxBytes: number = MAX_BYTES): string | undefined {
	let descriptor: number | undefined;
	try {
		descriptor = openSync(file, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
		const entry = fstatSync(descriptor);
		return entry.isFile() && entry.size <= maxBytes ? readFileSync(descriptor, "utf8") : undefined;
	} catch {
		return undefined;
	} finally {
		if (descriptor !== undefined) closeSync(descriptor);
	}
}
