import { readdirSync } from "node:fs";

/** The names in a directory; none when it is not there or may not be read. */
export function listIfThere(directory: string): readonly string[] {
	try {
		return readdirSync(directory);
	} catch {
		return [];
	}
}
