import { addRtfText, flushRtfBytes } from "./add-rtf-text.ts";
import { applyRtfDestination } from "./apply-rtf-destination.ts";
import { CHARACTERS } from "./rtf-characters.ts";
import { createRtfGroup } from "./rtf-group.ts";
import type { RtfState } from "./rtf-state.ts";
import { RTF_WORDS } from "./rtf-words.ts";
import type { RtfToken } from "./tokenize-rtf.ts";

/** One step of the interpreter. */
export function takeRtfToken(state: RtfState, token: RtfToken): void {
	if (token.kind !== "byte") flushRtfBytes(state);
	switch (token.kind) {
		case "byte":
			takeByte(state, token.byte);
			break;
		case "text":
			takeText(state, token.text);
			break;
		case "open":
			openGroup(state);
			break;
		case "close":
			closeGroup(state);
			break;
		case "word":
			takeWord(state, token.word, token.parameter);
			break;
		case "symbol":
			takeSymbol(state, token.symbol);
	}
}

function takeByte(state: RtfState, byte: number): void {
	if (state.skipCharacters > 0) state.skipCharacters -= 1;
	else state.bytes.push(byte);
}

function takeText(state: RtfState, text: string): void {
	const shown = text.slice(state.skipCharacters);
	state.skipCharacters = Math.max(0, state.skipCharacters - text.length);
	if (shown) addRtfText(state, shown);
}

function openGroup(state: RtfState): void {
	state.outerGroups.push(state.group);
	state.group = { ...state.group, onClose: undefined };
}

function closeGroup(state: RtfState): void {
	state.group.onClose?.();
	state.group = state.outerGroups.pop() ?? createRtfGroup();
	state.skipCharacters = 0;
}

function takeSymbol(state: RtfState, symbol: string): void {
	if (symbol === "*") state.starred = true;
	else addRtfText(state, CHARACTERS.get(symbol) ?? "");
}

function takeWord(state: RtfState, word: string, parameter: number | undefined): void {
	const { starred } = state;
	state.starred = false;
	if (applyRtfDestination(state, word)) return;
	// `\*` says that a reader who does not know the word has to skip the group.
	if (starred && word !== "cs") state.group.destination = "skip";
	else applyWord(state, word, parameter);
}

function applyWord(state: RtfState, word: string, parameter: number | undefined): void {
	const { destination } = state.group;
	if (destination === "fonts") state.tables.fontWord(word, parameter);
	if (destination === "styles") state.tables.styleWord(word, parameter);
	const character = CHARACTERS.get(word);
	if (character) addRtfText(state, character);
	else if (destination !== "styles" && destination !== "skip") RTF_WORDS.get(word)?.(state, parameter);
}
