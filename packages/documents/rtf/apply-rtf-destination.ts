import { escapeHtml } from "../html/escape-html.ts";
import { endLastRtfParagraph } from "./end-rtf-paragraph.ts";
import { type RtfDestination, resetCharacters, resetParagraph } from "./rtf-group.ts";
import type { RtfState } from "./rtf-state.ts";
import { createRtfWriting } from "./rtf-writing.ts";

/** Groups whose contents are not part of the text. */
const SKIPPED = (
	"colortbl pict object header headerl headerr headerf footer footerl footerr footerf listtable " +
	"listoverridetable rsidtbl generator xmlnstbl themedata datastore latentstyles revtbl filetbl nonshppict " +
	"objdata annotation atnid atnauthor atrfstart atrfend pntxta pntxtb pn tc xe private"
).split(" ");

const DESTINATIONS: ReadonlyMap<string, RtfDestination> = new Map<string, RtfDestination>([
	["fonttbl", "fonts"],
	["stylesheet", "styles"],
	["fldinst", "instruction"],
	["listtext", "marker"],
	["pntext", "marker"],
	["info", "info"],
	["title", "title"],
	["author", "author"],
	["fldrslt", "text"],
	...SKIPPED.map((word) => [word, "skip"] as const),
]);

const LINK_INSTRUCTION = /HYPERLINK\s+(?:\\[a-z]\s+)*"([^"]*)"/i;

/** What words do besides choosing a destination. */
const OPENERS: ReadonlyMap<string, (state: RtfState) => void> = new Map([
	["field", openField],
	["fldrslt", openFieldResult],
	["footnote", openFootnote],
]);

/** Returns whether the word is one that says where the text of its group goes. */
export function applyRtfDestination(state: RtfState, word: string): boolean {
	const destination = DESTINATIONS.get(word);
	if (destination && state.group.destination !== "skip") state.group.destination = destination;
	const open = OPENERS.get(word);
	open?.(state);
	return destination !== undefined || open !== undefined;
}

function openField({ group }: RtfState): void {
	group.field = { instruction: "" };
}

function openFieldResult({ group, writing }: RtfState): void {
	const { field } = group;
	const start = writing.draft.html.length;
	group.onClose = () => {
		writing.draft.html = wrapLink(writing.draft.html, start, field?.instruction ?? "");
	};
}

/** Makes what follows `start` a link when the instruction of its field is one. */
export function wrapLink(html: string, start: number, instruction: string): string {
	const address = LINK_INSTRUCTION.exec(instruction)?.[1];
	const shown = html.slice(start);
	if (!address || !shown.trim()) return html;
	return `${html.slice(0, start)}<a href="${escapeHtml(address)}">${shown}</a>`;
}

/** The number is assigned here, so that a footnote inside a footnote gets the next one. */
function openFootnote(state: RtfState): void {
	const { group, notes, writing: outer } = state;
	const number = notes.push("");
	group.destination = "text";
	resetParagraph(group);
	resetCharacters(group);
	state.writing = createRtfWriting();
	group.onClose = () => {
		endLastRtfParagraph(state);
		notes[number - 1] = state.writing.flow.toHtml();
		state.writing = outer;
		outer.draft.html += `<a href="#footnote-${number}">${number}</a>`;
	};
}
