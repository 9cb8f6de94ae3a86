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

/** A hyperlink or other field: instructions come first, then the text it shows. */
interface RtfField {
	instruction: string;
}

/** What a group inherits and gives back at its end. */
export interface RtfState {
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
	/** Characters that follow `\u` for readers that do not know Unicode. */
	fallbackLength: number;
	field: RtfField | undefined;
	/** What has to happen when the group ends. */
	onClose: (() => void) | undefined;
}

export function createRtfState(): RtfState {
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

export function resetParagraph(state: RtfState): void {
	state.style = 0;
	state.outline = undefined;
	state.leftIndent = 0;
	state.firstIndent = 0;
	state.inTable = false;
}

export function resetCharacters(state: RtfState): void {
	state.bold = false;
	state.italic = false;
	state.strike = false;
	state.hidden = false;
}
