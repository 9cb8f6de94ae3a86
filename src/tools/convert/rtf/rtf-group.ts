/** Where the text of a group goes. */
export type RtfDestination =
	| "text"
	| "skip"
	| "info"
	| "fonts"
	| "styles"
	| "instruction"
	| "marker"
	| "title"
	| "author";

/** A hyperlink or other field: its instruction comes first, then the text it shows. */
export interface RtfField {
	instruction: string;
}

/** The formatting in effect. A nested group inherits a copy, so its changes are undone when it closes. */
export interface RtfGroup {
	destination: RtfDestination;
	bold: boolean;
	italic: boolean;
	strike: boolean;
	hidden: boolean;
	font: number;
	style: number;
	/** 0 is the top level; undefined is body text. */
	outline: number | undefined;
	leftIndent: number;
	firstIndent: number;
	inTable: boolean;
	/** How many characters after `\u` are meant for readers that do not support Unicode. */
	fallbackLength: number;
	/** Shared with the groups inside, which fill in the instruction. */
	field: RtfField | undefined;
	/** What remains to be done when the group closes. Not inherited. */
	onClose: (() => void) | undefined;
}

export function createRtfGroup(): RtfGroup {
	return {
		destination: "text",
		bold: false,
		italic: false,
		strike: false,
		hidden: false,
		font: -1,
		style: 0,
		outline: undefined,
		leftIndent: 0,
		firstIndent: 0,
		inTable: false,
		fallbackLength: 1,
		field: undefined,
		onClose: undefined,
	};
}

export function resetParagraph(group: RtfGroup): void {
	group.style = 0;
	group.outline = undefined;
	group.leftIndent = 0;
	group.firstIndent = 0;
	group.inTable = false;
}

export function resetCharacters(group: RtfGroup): void {
	group.bold = false;
	group.italic = false;
	group.strike = false;
	group.hidden = false;
}
