import { damaged, unsafe } from "../conversion-error.ts";
import { CONVERSION_LIMITS } from "../conversion-limits.ts";
import type { ConvertedDocument } from "../converted-document.ts";
import { addNoteRules } from "../html/note-rules.ts";
import { htmlToMarkdown } from "../html-to-markdown.ts";
import { endLastRtfParagraph } from "./end-rtf-paragraph.ts";
import { createRtfState, type RtfState } from "./rtf-state.ts";
import { takeRtfToken } from "./take-rtf-token.ts";
import { tokenizeRtf } from "./tokenize-rtf.ts";

export function readRtf(bytes: Buffer): ConvertedDocument {
	const state = createRtfState();
	let depth = 0;
	for (const token of tokenizeRtf(bytes.toString("latin1"))) {
		if (token.kind === "open") depth += 1;
		if (depth > CONVERSION_LIMITS.maxRtfDepth)
			throw unsafe(`The RTF file nests groups deeper than ${CONVERSION_LIMITS.maxRtfDepth}; it is not read.`);
		takeRtfToken(state, token);
		if (token.kind === "close") {
			depth -= 1;
			// What follows the last group is not part of the document; mailers append bytes there.
			if (depth === 0) break;
		}
	}
	if (depth > 0) throw damaged("The RTF file is cut off: some of its groups never end.");
	const { html, title, author } = finishRtf(state);
	return {
		markdown: htmlToMarkdown(html, { addRules: addNoteRules }),
		metadata: { ...(author && { author }) },
		...(title && { title }),
	};
}

/** The document as HTML, with its footnotes at the end. */
export function finishRtf(state: RtfState): { html: string; title: string; author: string } {
	endLastRtfParagraph(state);
	const notes = state.notes.map((note, index) => `<li id="footnote-${index + 1}">${note}</li>`).join("");
	return {
		html: `${state.writing.flow.toHtml()}${notes ? `<ol>${notes}</ol>` : ""}`,
		title: state.facts.title.trim(),
		author: state.facts.author.trim(),
	};
}
