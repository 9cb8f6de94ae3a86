import { quoteLine } from "./quote-line.ts";
import type { RankedFile } from "./rank-files.ts";
import type { ScoredLine } from "./score-lines.ts";

const MAX_SHOWN_USES = 3;

/** Who calls something is not answered by the place where it is defined. Empty when no use was seen. */
export function renderUses(ranked: readonly RankedFile[]): string {
	const defined = new Set(ranked.flatMap((file) => file.defines));
	// What a module does with its own function is the least of the answer.
	const outsideFirst = ranked.toSorted((a, b) => Math.sign(a.defines.length) - Math.sign(b.defines.length));
	const uses = outsideFirst.flatMap((file) =>
		file.lines.filter((line) => isUse(line, defined)).map(toPlace(file)),
	);
	if (uses.length === 0) return "";
	const more = uses.length - MAX_SHOWN_USES;
	return `**Used in:** ${uses.slice(0, MAX_SHOWN_USES).join("; ")}${more > 0 ? `; and ${more} more` : ""}`;
}

/** One name of an import or export that goes over several lines. */
const LISTED_NAME = /^\s*(?:type\s+)?[\w$]+,?\s*$/;

/** Neither the definition, nor an import that only announces a use, nor a comment about it. */
function isUse({ reading, text }: ScoredLine, defined: ReadonlySet<string>): boolean {
	if (reading.role === "import" || reading.role === "comment" || LISTED_NAME.test(text)) return false;
	return reading.name === undefined || !defined.has(reading.name);
}

function toPlace(file: RankedFile): (line: ScoredLine) => string {
	return ({ line, text }) => `\`${file.path}:${line}\`: ${quoteLine(text)}`;
}
