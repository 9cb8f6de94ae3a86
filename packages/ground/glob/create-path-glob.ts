import { createGlob } from "./create-glob.ts";

/**
 * A glob as a test of relative paths with forward slashes. `*` and `?` stay within a name, `**` crosses
 * directories. A pattern without a slash is matched against the name alone; one with a slash may begin at any
 * directory, unless it starts with one.
 */
export function createPathGlob(pattern: string): (path: string) => boolean {
	const isAnchored = pattern.startsWith("/") || pattern.startsWith("**/");
	const rest = pattern.replace(/^\.?\//, "");
	const matches = createGlob(isAnchored || !pattern.includes("/") ? rest : `**/${rest}`);
	if (pattern.includes("/")) return matches;
	return (path) => matches(path.slice(path.lastIndexOf("/") + 1));
}
