import { collapseSpace } from "../markup/collapse-space.ts";

const MAX_QUOTED_CHARS = 160;

/** A source line as inline code: trimmed, bounded, and with a fence that its own backticks cannot end. */
export function quoteLine(text: string): string {
	const clean = collapseSpace(text);
	const short =
		clean.length > MAX_QUOTED_CHARS ? `${clean.slice(0, MAX_QUOTED_CHARS - 1).toWellFormed()}…` : clean;
	if (short === "") return "(empty line)";
	return short.includes("`") ? `\`\` ${short.replace(/`{2,}/g, "`")} \`\`` : `\`${short}\``;
}
