import type { Position } from "vscode-languageserver-types";
import type { LspRequest } from "../parse-lsp-request.ts";
import { findWholeWords, toProtocolPosition } from "../workspace/text-positions.ts";
import { parseSymbolQuery } from "./parse-symbol-query.ts";
import { snapToName } from "./snap-to-name.ts";

export interface PlaceOnLine {
	readonly position: Position;
	readonly name: string;
	/** Shown when the place is not exactly the one given. */
	readonly note?: string;
}

const MAX_WORDS = 200;

/** The name meant by a line with a column or a name in it. */
export function locateOnLine(
	{ column, query }: Pick<LspRequest, "column" | "query">,
	line: number,
	lines: readonly string[],
): PlaceOnLine {
	const text = lines[line - 1] ?? "";
	if (query !== undefined) {
		const asked = parseSymbolQuery(query);
		const word = findWholeWords([text], asked.name, MAX_WORDS)[(asked.ordinal ?? 1) - 1];
		if (word !== undefined)
			return { position: { line: line - 1, character: word.character }, name: asked.name };
	}
	const position = toProtocolPosition({ line, column: column ?? 1 }, lines);
	const snapped = snapToName(text, position.character);
	const name = snapped?.name ?? `line ${line}`;
	if (snapped === undefined || snapped.isThere) return { position, name };
	return {
		position: { line: line - 1, character: snapped.character },
		name,
		...(column === undefined
			? {}
			: { note: `Column ${column} is not on a name; "${snapped.name}" was used.` }),
	};
}
