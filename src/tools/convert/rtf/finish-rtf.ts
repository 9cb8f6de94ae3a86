import { endLastRtfParagraph } from "./end-rtf-paragraph.ts";
import type { RtfState } from "./rtf-state.ts";

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
