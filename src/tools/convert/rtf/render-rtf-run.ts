import { escapeHtml } from "../html/escape-html.ts";

interface RunFormat {
	readonly fixed: boolean;
	readonly bold: boolean;
	readonly italic: boolean;
	readonly strike: boolean;
}

/** Blanks get no tags: emphasis around nothing would show up as stray asterisks. */
export function renderRtfRun(text: string, { fixed, bold, italic, strike }: RunFormat): string {
	let html = escapeHtml(text);
	if (text.trim() === "") return html;
	if (fixed) html = `<code>${html}</code>`;
	if (strike) html = `<s>${html}</s>`;
	if (italic) html = `<em>${html}</em>`;
	return bold ? `<strong>${html}</strong>` : html;
}

/** Adjacent runs with the same emphasis become one. In a heading, bold carries no meaning. */
export function joinRuns(html: string, isHeading: boolean): string {
	const joined = html.replace(/<\/(strong|em|s|code)>(\s*)<\1>/g, "$2");
	return isHeading ? joined.replace(/<\/?strong>/g, "") : joined;
}

export function stripRuns(html: string): string {
	return html.replace(/<\/?(?:code|strong|em|s)>/g, "");
}
