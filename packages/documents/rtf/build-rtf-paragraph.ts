import { joinRuns, stripRuns } from "./render-rtf-run.ts";
import type { RtfParagraph } from "./rtf-flow.ts";
import type { RtfGroup } from "./rtf-group.ts";
import type { StyleEntry } from "./rtf-tables.ts";
import type { RtfDraft } from "./rtf-writing.ts";

const MAX_HEADING_LEVEL = 6;
const CODE_STYLE = /preformatted|source code|^code|plain text/i;
const QUOTE_STYLE = /^(intense )?(quote|quotations?|block text)/i;
const LEADING_MARKER = /^(\(?[\da-zA-Z]{1,4}[.)]|[•·▪●–—-])\s*\t\s*/u;

/** Decides what a finished draft is: a heading, code, a quotation, a list item or body text. */
export function buildRtfParagraph(
	draft: Readonly<RtfDraft>,
	format: Readonly<RtfGroup>,
	style: Readonly<StyleEntry>,
): RtfParagraph {
	const heading = toHeadingLevel(style, format.outline);
	const code = !format.inTable && heading === 0 && isCodeParagraph(draft, style);
	const html = code ? stripRuns(draft.html) : joinRuns(draft.html, heading > 0);
	const marker = draft.marker.trim() || findMarker(html, format);
	return {
		html: code ? html : (marker ? html.replace(LEADING_MARKER, "") : html).replaceAll("\t", " "),
		heading,
		code,
		quote: QUOTE_STYLE.test(style.name),
		marker,
		indent: format.leftIndent,
	};
}

/** 1 to 6, or 0 for body text. An outline level counts more than the name of the style. */
function toHeadingLevel(style: Readonly<StyleEntry>, ownOutline: number | undefined): number {
	const outline = ownOutline ?? style.outline;
	if (outline !== undefined && outline >= 0 && outline < MAX_HEADING_LEVEL) return outline + 1;
	const named = /^heading (\d)/i.exec(style.name)?.[1];
	if (named) return Math.min(MAX_HEADING_LEVEL, Math.max(1, Number(named)));
	return /^title$/i.test(style.name) ? 1 : 0;
}

function isCodeParagraph(draft: Readonly<RtfDraft>, style: Readonly<StyleEntry>): boolean {
	return CODE_STYLE.test(style.name) || (draft.codeLetters > 0 && draft.proseLetters === 0);
}

/** A number or bullet typed in front of a hanging indent makes a list item too. */
function findMarker(html: string, { firstIndent }: Readonly<RtfGroup>): string {
	return firstIndent < 0 ? (LEADING_MARKER.exec(html)?.[1] ?? "") : "";
}
