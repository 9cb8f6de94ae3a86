import { escapeHtml } from "../html/escape-html.ts";
import { createRtfGroup } from "./rtf-group.ts";
import type { RtfState } from "./rtf-state.ts";

const LINK_INSTRUCTION = /HYPERLINK\s+(?:\\[a-z]\s+)*"([^"]*)"/i;

export function openRtfGroup(state: RtfState): void {
	state.outerGroups.push(state.group);
	state.group = { ...state.group, onClose: undefined };
}

export function closeRtfGroup(state: RtfState): void {
	state.group.onClose?.();
	state.group = state.outerGroups.pop() ?? createRtfGroup();
	state.skipCharacters = 0;
}

/** Makes what follows `start` a link when the instruction of its field is one. */
export function wrapLink(html: string, start: number, instruction: string): string {
	const address = LINK_INSTRUCTION.exec(instruction)?.[1];
	const shown = html.slice(start);
	if (!address || !shown.trim()) return html;
	return `${html.slice(0, start)}<a href="${escapeHtml(address)}">${shown}</a>`;
}
