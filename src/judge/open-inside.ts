import { relative, resolve, sep } from "node:path";
import { canonicalPath, isInside, ToolError } from "@deputize/ground";
import type { Judge } from "./create-judge.ts";
import { type OpenedEntry, openJudged } from "./open-judged.ts";

interface InsidePath {
	/** Without a symbolic link anywhere in it. */
	readonly real: string;
	/** From the working directory, with forward slashes; "." for itself. */
	readonly shown: string;
	readonly isDirectory: boolean;
}

/**
 * Opens something inside the working directory, and hands it to `work`. Judged by real path, so that neither `..`, nor
 * an absolute path, nor a symbolic link, nor a sibling whose name merely begins the same leads outside.
 */
export function openInside<Value>(
	path: string,
	place: { readonly cwd: string; readonly judge: Judge },
	work: (entry: OpenedEntry, found: InsidePath) => Value,
): Value {
	const root = canonicalPath(place.cwd);
	const wanted = resolve(root, path);
	// Before anything is opened: what is outside must look the same whether or not it exists.
	if (!isInside(root, canonicalPath(wanted))) throw outside(path);
	const entry = openJudged(wanted, place.judge, path);
	try {
		if (!isInside(root, entry.realPath)) throw outside(path);
		return work(entry, {
			real: entry.realPath,
			shown: relative(root, entry.realPath).split(sep).join("/") || ".",
			isDirectory: entry.stats.isDirectory(),
		});
	} finally {
		entry.close();
	}
}

function outside(path: string): ToolError {
	return new ToolError(
		"FILE_CLOSED",
		`${path} is outside of the working directory, which is all this tool may look at`,
	);
}
