import { relative, sep } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { isInside, stripControlSequences, toOneLine } from "@deputize/ground";

/** No host, nothing encoded, no `.` or `..` to resolve. */
const PLAIN_ADDRESS = /^file:\/\/(?:\/(?!\.)[\w@+,=.~-]+)+$/;

export function toFileUri(path: string): string {
	return pathToFileURL(path).href;
}

/**
 * Servers percent-encode differently, so addresses are compared as paths. `undefined` for anything that is not
 * a file (`jdt://`, `zipfile:`): such a place is shown as it is and never opened.
 */
export function toFilePath(uri: string): string | undefined {
	if (!uri.startsWith("file:")) return undefined;
	// Hundreds of addresses in one answer, nearly all of them plain: parsing each takes longer than everything else.
	if (sep === "/" && PLAIN_ADDRESS.test(uri)) return uri.slice("file://".length);
	try {
		return fileURLToPath(uri);
	} catch {
		return undefined;
	}
}

/** Relative with forward slashes inside the workspace, absolute outside; always one line. */
export function toShownPath(workspace: string, path: string): string {
	if (!isInside(workspace, path)) return keepOnOneLine(path);
	if (path.startsWith(`${workspace}/`) && !path.includes(".."))
		return keepOnOneLine(path.slice(workspace.length + 1));
	const way = relative(workspace, path);
	return way === "" ? "." : keepOnOneLine(way.split(sep).join("/"));
}

/** A server can name anything, and answers are read by their lines: a break in a name would forge places. */
function keepOnOneLine(path: string): string {
	return /[\r\n\t]/.test(path) || stripControlSequences(path) !== path ? toOneLine(path) : path;
}
