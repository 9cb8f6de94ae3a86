import { isAbsolute, relative, sep } from "node:path";

/**
 * Whether `path` is `directory` itself or below it. Compares spellings: resolve links first (`canonicalPath`)
 * when the answer guards something. A name that merely begins with two dots (`..backup`) is inside.
 */
export function isInside(directory: string, path: string): boolean {
	// Asked several times in many calls, nearly always about two plain paths.
	if (path.startsWith(directory) && !path.includes("..")) {
		if (path.length === directory.length || directory.endsWith(sep)) return true;
		return path[directory.length] === sep;
	}
	const way = relative(directory, path);
	return way !== ".." && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}
