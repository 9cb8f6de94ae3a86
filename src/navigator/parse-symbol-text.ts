import type { NavigatorToolStep } from "./navigator-input.ts";

export interface SymbolPlace {
	readonly path: string;
	readonly line: number;
	readonly text: string;
}

const MAX_PLACES = 200;
const PLACE = /(?:^|[\s`([])((?:[\w@.-]+\/)*[\w@.-]+\.[A-Za-z]\w{0,7}):(\d+)(?::\d+)?/;

/**
 * Places a language server named. The tool's text is written for models, so only `path:line` is relied on; whatever
 * else a line says is kept as its text. Errors and "incomplete" answers give no or fewer places, never a failure.
 */
export function parseSymbolText(step: NavigatorToolStep): SymbolPlace[] {
	if (step.isError) return [];
	const places: SymbolPlace[] = [];
	for (const row of step.text.split("\n")) {
		const match = PLACE.exec(row);
		if (match?.[1] === undefined || match[2] === undefined) continue;
		places.push({ path: match[1].replace(/^\.\//, ""), line: Number(match[2]), text: "" });
		if (places.length === MAX_PLACES) break;
	}
	return places;
}
