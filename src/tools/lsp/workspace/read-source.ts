import { statIfThere, toStamp } from "@deputize/ground";
import type { Judge } from "../../../judge/create-judge.ts";
import { readJudgedFile } from "../../../judge/read-judged-file.ts";
import { LSP_LIMITS } from "../lsp-limits.ts";
import { splitAtLineBreaks } from "./text-positions.ts";

/** Lines of files that answers point to. `undefined` for what cannot or may not be shown. */
export interface SourceReader {
	/** If the current stamp of the file is given, the file is read only when it has changed. */
	readonly linesOf: (path: string, currentStamp?: string) => readonly string[] | undefined;
}

interface KnownSource {
	readonly stamp: string;
	readonly lines: readonly string[];
}

/**
 * Keeps the last files, each for as long as it is unchanged. Reading is synchronous on purpose: a trip through the
 * thread pool takes longer than a warm server's whole answer, and the sizes are bounded.
 */
export function createSourceReader(judge: Judge): SourceReader {
	const known = new Map<string, KnownSource>();

	function read(path: string): KnownSource | undefined {
		const before = known.get(path);
		const found = statIfThere(path);
		if (found !== undefined && before?.stamp === toStamp(found)) return before;
		const { bytes, realPath, stats } = readJudgedFile(path, judge, LSP_LIMITS.maxDocumentBytes);
		// Callers decide by the path they give, so it must be the real one.
		if (realPath !== path) return undefined;
		return { stamp: toStamp(stats), lines: splitAtLineBreaks(bytes.toString("utf8")) };
	}

	return {
		linesOf: (path, currentStamp) => {
			const before = known.get(path);
			if (before !== undefined && before.stamp === currentStamp) return before.lines;
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
