import { buildRtfParagraph } from "./build-rtf-paragraph.ts";
import type { RtfState } from "./rtf-state.ts";
import { createRtfDraft } from "./rtf-writing.ts";

export function endRtfParagraph({ group, tables, writing }: RtfState): void {
	const paragraph = buildRtfParagraph(writing.draft, group, tables.style(group.style));
	writing.flow.addParagraph(paragraph, group.inTable);
	writing.draft = createRtfDraft();
}

/** The last paragraph of a text often has no `\par`. */
export function endLastRtfParagraph(state: RtfState): void {
	if (state.writing.draft.html.trim()) endRtfParagraph(state);
}
