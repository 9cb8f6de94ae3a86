import { isObject, type JsonObject } from "@deputize/ground";

/** How the server is started. Everything else in an entry is the person's once it is there, such as variables or trust. */
const OURS = ["type", "command", "args", "enabled"];

/** An entry that is there, corrected. */
export function mergeEntry(present: unknown, entry: JsonObject): JsonObject {
	if (!isObject(present)) return entry;
	const corrections = Object.entries(entry).filter(
		([key, wanted]) => !(Object.hasOwn(present, key) && mayStay(key, present[key], wanted)),
	);
	return { ...present, ...Object.fromEntries(corrections) };
}

/** A list that begins with what we want has options that the person added. */
export function mayStay(key: string, present: unknown, wanted: unknown): boolean {
	if (!OURS.includes(key)) return true;
	if (!Array.isArray(present) || !Array.isArray(wanted)) return present === wanted;
	return wanted.every((word, index) => present[index] === word);
}
