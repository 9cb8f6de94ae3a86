import { dirname } from "node:path";

/** The directory itself, then each one above it, up to the root. */
export function* listAncestors(directory: string): Generator<string> {
	for (let current = directory; ; current = dirname(current)) {
		yield current;
		if (current === dirname(current)) return;
	}
}
