import { readFile, stat } from "node:fs/promises";
import { LSP_LIMITS } from "./lsp-limits.ts";
import { splitLines } from "./text-positions.ts";

/** Lines of files that answers point to, each read once per call. `undefined` for what cannot be shown. */
export interface SourceReader {
	readonly linesOf: (path: string) => Promise<readonly string[] | undefined>;
}

export function createSourceReader(): SourceReader {
	const known = new Map<string, Promise<readonly string[] | undefined>>();
	return {
		linesOf: (path) => {
			const existing = known.get(path);
			if (existing !== undefined) return existing;
			const lines = readLines(path);
			known.set(path, lines);
			return lines;
		},
	};
}

async function readLines(path: string): Promise<readonly string[] | undefined> {
	try {
		const found = await stat(path);
		if (!found.isFile() || found.size > LSP_LIMITS.maxDocumentBytes) return undefined;
		return splitLines(await readFile(path, "utf8"));
	} catch {
		return undefined;
	}
}
