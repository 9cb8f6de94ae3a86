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

/** Characters as `\plain` leaves them. */
const PLAIN = { bold: false, italic: false, strike: false, hidden: false };

/** A paragraph as `\pard` leaves it. */
const BODY_TEXT = {
	style: 0,
	/** 0 is the top level; undefined is body text. */
	outline: undefined as number | undefined,
	leftIndent: 0,
	firstIndent: 0,
	inTable: false,
};

type RtfFormat = typeof PLAIN & typeof BODY_TEXT;

/** The formatting in effect. A nested group inherits a copy, so its changes are undone when it closes. */
export interface RtfGroup extends RtfFormat {
	destination: RtfDestination;
	font: number;
	/** How many characters after `\u` are meant for readers that do not support Unicode. */
	fallbackLength: number;
	/** A hyperlink or the like. Shared with the groups inside: one fills in the instruction, the next has the text. */
	field: { instruction: string } | undefined;
	/** What remains to be done when the group closes. Not inherited. */
	onClose: (() => void) | undefined;
}

export function createRtfGroup(): RtfGroup {
	return {
		...PLAIN,
		...BODY_TEXT,
		destination: "text",
		font: -1,
		fallbackLength: 1,
		field: undefined,
		onClose: undefined,
	};
}

export function resetParagraph(group: RtfGroup): void {
	Object.assign(group, BODY_TEXT);
}

export function resetCharacters(group: RtfGroup): void {
	Object.assign(group, PLAIN);
}
