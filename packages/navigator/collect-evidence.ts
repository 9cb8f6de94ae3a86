import type { NavigatorToolStep } from "./navigator-tool-step.ts";
import { parseSymbolText } from "./parse-symbol-text.ts";
import type { FileFacts } from "./syntax/file-facts.ts";

export interface FileEvidence {
	readonly path: string;
	/** Line number to text. */
	readonly lines: Map<number, string>;
	/** Numbers of the lines that a language server named as a definition. */
	readonly definitions: Set<number>;
	/** What its syntax tree says. */
	readonly facts?: FileFacts;
}

export interface Evidence {
	readonly files: ReadonlyMap<string, FileEvidence>;
	/** All paths of the tree, whether or not anything in them matched. */
	readonly listed: ReadonlySet<string>;
	/** Roughly how many files the tree contains. */
	readonly treeSize: number;
}

/** Matching lines longer than this come from bundles and data. */
export const MAX_LINE_CHARS = 520;

export function emptyEvidence(path: string): FileEvidence {
	return { path, lines: new Map(), definitions: new Set() };
}

/** What a language server has shown so far, file by file and line by line. */
export function collectEvidence(steps: readonly NavigatorToolStep[]): Map<string, FileEvidence> {
	const files = new Map<string, FileEvidence>();
	for (const step of steps.filter(({ tool }) => tool === "lsp")) {
		const wanted = step.args["query"];
		for (const { path, line, text, name } of parseSymbolText(step)) {
			const file = files.get(path) ?? emptyEvidence(path);
			files.set(path, file);
			// A search in the whole tree also lists names that merely contain the wanted one: places, not definitions of it.
			const isWanted = name === "" || name === wanted || name.endsWith(`.${String(wanted)}`);
			if (step.args["action"] !== "references" && isWanted) file.definitions.add(line);
			if (text !== "" && !file.lines.has(line)) file.lines.set(line, text.slice(0, MAX_LINE_CHARS));
		}
	}
	return files;
}
