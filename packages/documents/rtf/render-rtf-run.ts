import { type Emphasis, emphasize } from "../html/emphasize.ts";
import { escapeHtml } from "../html/escape-html.ts";

export function renderRtfRun(text: string, format: Emphasis & { readonly fixed: boolean }): string {
	return emphasize(escapeHtml(text), { ...format, code: format.fixed });
}

/** Adjacent runs with the same emphasis become one. In a heading, bold carries no meaning. */
export function joinRuns(html: string, isHeading: boolean): string {
	const joined = html.replace(/<\/(strong|em|s|code)>(\s*)<\1>/g, "$2");
	return isHeading ? joined.replace(/<\/?strong>/g, "") : joined;
}

export function stripRuns(html: string): string {
	return html.replace(/<\/?(?:code|strong|em|s)>/g, "");
}
