import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { isInside } from "@deputize/ground";

/** A directory with more entries is denied with everything in it. */
const MAX_ENTRIES = 500;

/**
 * Codex cannot expose anything inside a denied place. A closed place with something open in it is therefore
 * denied entry by entry, around what is open. A closed place inside an open one is closed.
 */
export function listDeniedPlaces(closed: readonly string[], open: readonly string[]): readonly string[] {
	const denied = closed.filter((path) => existsSync(path)).flatMap((path) => denyAround(path, open));
	const isDenied = (path: string): boolean => denied.some((other) => other !== path && isInside(other, path));
	return [...new Set(denied)].filter((path) => !isDenied(path));
}

function denyAround(place: string, open: readonly string[]): readonly string[] {
	if (open.includes(place)) return [];
	const inside = open.filter((path) => isInside(place, path));
	if (inside.length === 0) return [place];
	const entries = readdirSync(place);
	if (entries.length > MAX_ENTRIES) return [place];
	return entries.flatMap((name) => denyAround(join(place, name), inside));
}
