import { dirname } from "node:path";
import { listAncestors } from "@deputize/ground";

/** Of paths without links, those that are in none of the others. */
export function findOutermost(paths: readonly string[]): string[] {
	const all = new Set(paths);
	return paths.filter((path) => dirname(path) === path || !isBelowAny(all, dirname(path)));
}

export function isBelowAny(places: ReadonlySet<string>, path: string): boolean {
	return [...listAncestors(path)].some((at) => places.has(at));
}
