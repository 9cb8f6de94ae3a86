import { asObject, isObject, type JsonObject } from "@deputize/ground";

/** How the server is started. Everything else in an entry is the person's once it is there, such as variables or trust. */
const OURS = ["type", "command", "args", "enabled"];

/**
 * The settings with the entry in its place, corrected where there is one already. The same object when nothing would
 * change; undefined when there is no room for the entry.
 */
export function mergeEntry(
	settings: JsonObject,
	[name = "", ...rest]: readonly string[],
	entry: JsonObject,
): JsonObject | undefined {
	const inner = Object.hasOwn(settings, name) ? settings[name] : undefined;
	if (rest.length > 0 && inner !== undefined && !isObject(inner)) return undefined;
	const changed = rest.length > 0 ? mergeEntry(asObject(inner), rest, entry) : correctEntry(inner, entry);
	if (changed === undefined) return undefined;
	return changed === inner ? settings : { ...settings, [name]: changed };
}

function correctEntry(present: unknown, entry: JsonObject): JsonObject {
	if (!isObject(present)) return entry;
	const corrections = Object.entries(entry).filter(
		([key, wanted]) => !(Object.hasOwn(present, key) && mayStay(key, present[key], wanted)),
	);
	return corrections.length === 0 ? present : { ...present, ...Object.fromEntries(corrections) };
}

/** A list that begins with what we want has options that the person added. */
function mayStay(key: string, present: unknown, wanted: unknown): boolean {
	if (!OURS.includes(key)) return true;
	if (!Array.isArray(present) || !Array.isArray(wanted)) return present === wanted;
	return wanted.every((word, index) => present[index] === word);
}
