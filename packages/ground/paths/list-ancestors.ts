import { dirname } from "node:path";

/** The directory itself, then each one above it, up to the root. */
export function* listAncestors(directory: string): Generator<string> {
	let current = directory;
	for (let above = dirname(current); above !== current; above = dirname(current)) {
		yield current;
		current = above;
	}
	yield current;
}
