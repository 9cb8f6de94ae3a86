import { collapseSpace, cutText } from "@deputize/ground";

export interface Place {
	readonly path: string;
	readonly line: number;
}

/** A line of a file with its text. */
export interface QuotedPlace extends Place {
	readonly text: string;
}

const MAX_QUOTED_CHARS = 160;

/** A source line as inline code: trimmed, bounded, and with a fence that its own backticks cannot end. */
export function quoteLine(text: string): string {
	const short = cutText(collapseSpace(text), MAX_QUOTED_CHARS);
	if (short === "") return "(empty line)";
	return short.includes("`") ? `\`\` ${short.replace(/`{2,}/g, "`")} \`\`` : `\`${short}\``;
}

/** Path and line as inline code, then the line itself. */
export function quotePlace({ path, line, text }: QuotedPlace): string {
	return `\`${path}:${line}\`: ${quoteLine(text)}`;
}
