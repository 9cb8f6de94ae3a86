import { addRtfText } from "./add-rtf-text.ts";
import { endRtfParagraph } from "./end-rtf-paragraph.ts";
import { codePageEncoding } from "./rtf-characters.ts";
import { resetCharacters, resetParagraph } from "./rtf-group.ts";
import type { RtfState } from "./rtf-state.ts";

type ApplyWord = (state: RtfState, parameter: number | undefined) => void;

/** `\b` and `\b1` switch on, `\b0` switches off. */
function toggle(property: "bold" | "italic" | "strike" | "hidden"): ApplyWord {
	return ({ group }, parameter) => {
		group[property] = parameter !== 0;
	};
}

function setNumber(property: "font" | "style" | "leftIndent" | "firstIndent", missing: number): ApplyWord {
	return ({ group }, parameter) => {
		group[property] = parameter ?? missing;
	};
}

function breakParagraph(state: RtfState): void {
	if (state.group.destination === "text") endRtfParagraph(state);
}

function breakLine({ group, writing }: RtfState): void {
	if (group.destination === "text") writing.draft.html += "<br>";
}

function enterTable({ group }: RtfState): void {
	group.inTable = true;
}

function endCell(state: RtfState): void {
	enterTable(state);
	endRtfParagraph(state);
	state.writing.flow.endCell();
}

/** `\u` is followed by a substitute for readers that do not support Unicode. */
function addUnicode(state: RtfState, code = 0): void {
	addRtfText(state, String.fromCharCode(code & 0xffff));
	state.skipCharacters = state.group.fallbackLength;
}

/** Control words that change the formatting or the text; every other word is ignored. */
const APPLY: Readonly<Record<string, ApplyWord>> = {
	par: breakParagraph,
	sect: breakParagraph,
	line: breakLine,
	cell: endCell,
	row: ({ writing }) => writing.flow.endRow(),
	pard: ({ group }) => resetParagraph(group),
	plain: ({ group }) => resetCharacters(group),
	intbl: enterTable,
	b: toggle("bold"),
	i: toggle("italic"),
	strike: toggle("strike"),
	v: toggle("hidden"),
	deleted: toggle("hidden"),
	f: setNumber("font", -1),
	s: setNumber("style", 0),
	li: setNumber("leftIndent", 0),
	fi: setNumber("firstIndent", 0),
	outlinelevel: ({ group }, level) => {
		group.outline = level;
	},
	uc: ({ group }, length = 1) => {
		group.fallbackLength = Math.max(0, length);
	},
	ansicpg: (state, page = 0) => {
		state.defaultEncoding = codePageEncoding(page);
	},
	u: addUnicode,
};

/** A map, because a file may use words such as `constructor`, which every object knows. */
export const RTF_WORDS: ReadonlyMap<string, ApplyWord> = new Map(Object.entries(APPLY));
