import { escapeHtml } from "../html/escape-html.ts";
import { endLastRtfParagraph } from "./end-rtf-paragraph.ts";
import { createRtfGroup, type RtfGroupEnding } from "./rtf-group.ts";
import type { RtfState } from "./rtf-state.ts";

const LINK_INSTRUCTION = /HYPERLINK\s+(?:\\[a-z]\s+)*"([^"]*)"/i;

export function openRtfGroup(state: RtfState): void {
	state.outerGroups.push(state.group);
	state.group = { ...state.group, ending: undefined };
}

export function closeRtfGroup(state: RtfState): void {
	const { ending } = state.group;
	if (ending?.kind === "field") endField(ending);
	if (ending?.kind === "footnote") endFootnote(state, ending);
	state.group = state.outerGroups.pop() ?? createRtfGroup();
	state.skipCharacters = 0;
}

function endField({ field, writing, start }: RtfGroupEnding & { kind: "field" }): void {
	writing.draft.html = wrapLink(writing.draft.html, start, field?.instruction ?? "");
}

/** Makes what follows `start` a link when the instruction of its field is one. */
export function wrapLink(html: string, start: number, instruction: string): string {
	const address = LINK_INSTRUCTION.exec(instruction)?.[1];
	const shown = html.slice(start);
	if (!address || !shown.trim()) return html;
	return `${html.slice(0, start)}<a href="${escapeHtml(address)}">${shown}</a>`;
}

function endFootnote(state: RtfState, { number, outer }: RtfGroupEnding & { kind: "footnote" }): void {
	endLastRtfParagraph(state);
	state.notes[number - 1] = state.writing.flow.toHtml();
	state.writing = outer;
	outer.draft.html += `<a href="#footnote-${number}">${number}</a>`;
}
