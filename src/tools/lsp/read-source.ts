import { readFileSync, statSync } from "node:fs";
import { LSP_LIMITS } from "./lsp-limits.ts";
import { splitLines } from "./text-positions.ts";

/** Lines of files that answers point to. `undefined` for what cannot be shown. */
export interface SourceReader {
	readonly linesOf: (path: string) => readonly string[] | undefined;
}

interface KnownSource {
	readonly stamp: string;
	readonly lines: readonly string[];
}

/**
 * Keeps the last files, each for as long as it is unchanged. Reading is synchronous on purpose: a trip through the
 * thread pool takes longer than a warm server's whole answer, and the sizes are bounded.
 */
export function createSourceReader(): SourceReader {
	const known = new Map<string, KnownSource>();

	function read(path: string): KnownSource | undefined {
		const found = statSync(path, { throwIfNoEntry: false });
		if (found === undefined || !found.isFile() || found.size > LSP_LIMITS.maxDocumentBytes) return undefined;
		const stamp = `${found.mtimeMs}:${found.size}:${found.ino}`;
		const before = known.get(path);
		if (before?.stamp === stamp) return before;
		return { stamp, lines: splitLines(readFileSync(path, "utf8")) };
	}

	return {
		linesOf: (path) => {
			try {
				const source = read(path);
				known.delete(path);
				if (source === undefined) return undefined;
				known.set(path, source);
				if (known.size > LSP_LIMITS.maxKeptSources) forgetOldest(known);
				return source.lines;
			} catch {
				return undefined;
			}
		},
	};
}

function forgetOldest(known: Map<string, KnownSource>): void {
	const oldest = known.keys().next().value;
	if (oldest !== undefined) known.delete(oldest);
}
