const MAX_QUOTED_CHARS = 160;

/** A source line as inline code: trimmed, bounded, and with a fence that its own backticks cannot end. */
export function quoteLine(text: string, maxChars: number = MAX_QUOTED_CHARS): string {
	const clean = text.replace(/\s+/g, " ").trim();
	const short = clean.length > maxChars ? `${clean.slice(0, maxChars - 1).toWellFormed()}…` : clean;
	if (short === "") return "(empty line)";
	return short.includes("`") ? `\`\` ${short.replace(/`{2,}/g, "`")} \`\`` : `\`${short}\``;
}
