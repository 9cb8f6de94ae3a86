import { decodeExactly } from "@deputize/ground";
import { renderRtfRun } from "./render-rtf-run.ts";
import type { RtfState } from "./rtf-state.ts";

/** Adds text to whatever the current group collects. */
export function addRtfText(state: RtfState, text: string): void {
	const { group, tables, writing, facts } = state;
	switch (group.destination) {
		case "text":
			if (!group.hidden) addVisibleText(state, text);
			break;
		case "fonts":
			tables.fontName(text);
			break;
		case "styles":
			tables.styleName(text);
			break;
		case "instruction":
			if (group.field) group.field.instruction += text;
			break;
		case "marker":
			writing.draft.marker += text;
			break;
		case "title":
		case "author":
			facts[group.destination] += text;
			break;
		default:
	}
}

function addVisibleText({ group, tables, writing: { draft } }: RtfState, text: string): void {
	const { fixed } = tables.font(group.font);
	const letters = text.trim().length;
	if (fixed) draft.codeLetters += letters;
	else draft.proseLetters += letters;
	draft.html += renderRtfRun(text, { ...group, fixed });
}

/** Decodes the bytes collected so far, in the encoding of the current font. */
export function flushRtfBytes(state: RtfState): void {
	if (state.bytes.length === 0) return;
	const bytes = Uint8Array.from(state.bytes);
	state.bytes = [];
	const encoding = state.tables.font(state.group.font).encoding ?? state.defaultEncoding;
	addRtfText(state, decodeExactly(bytes, encoding) ?? new TextDecoder("windows-1252").decode(bytes));
}
