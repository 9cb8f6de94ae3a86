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

/** Returns whether the word is one that says where the text of its group goes. */
export function applyRtfDestination(state: RtfState, word: string): boolean {
	if (word === "field") return openField(state);
	if (word === "footnote") return openFootnote(state);
	const destination = DESTINATIONS.get(word);
	if (!destination) return false;
	if (state.group.destination !== "skip") state.group.destination = destination;
	return word === "fldrslt" ? openFieldResult(state) : true;
}

function openField({ group }: RtfState): true {
	group.field = { instruction: "" };
	return true;
}

function openFieldResult({ group, writing }: RtfState): true {
	group.ending = { kind: "field", field: group.field, writing, start: writing.draft.html.length };
	return true;
}

/** The number is assigned here, so that a footnote inside a footnote gets the next one. */
function openFootnote(state: RtfState): true {
	const { group, notes, writing: outer } = state;
	group.ending = { kind: "footnote", number: notes.push(""), outer };
	group.destination = "text";
	resetParagraph(group);
	resetCharacters(group);
	state.writing = createRtfWriting();
	return true;
}
