import { createRtfFlow, type RtfFlow } from "./rtf-flow.ts";

/** The paragraph that is being collected. */
export interface RtfDraft {
	html: string;
	/** The number or bullet the writing program spelled out for readers without lists. */
	marker: string;
	/** Letters outside a fixed-width font; a paragraph that has only the other kind is code. */
	proseLetters: number;
	codeLetters: number;
}

/** The text being written: the document, or a footnote inside it. */
export interface RtfWriting {
	readonly flow: RtfFlow;
	draft: RtfDraft;
}

export function createRtfDraft(): RtfDraft {
	return { html: "", marker: "", proseLetters: 0, codeLetters: 0 };
}

export function createRtfWriting(): RtfWriting {
	return { flow: createRtfFlow(), draft: createRtfDraft() };
}
