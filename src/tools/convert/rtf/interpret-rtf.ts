import { decodeExactly } from "../../../charset/decode-text.ts";
import { escapeHtml } from "../html/escape-html.ts";
import { CHARACTER_SYMBOLS, CHARACTER_WORDS, codePageEncoding } from "./rtf-characters.ts";
import { createRtfFlow, type RtfFlow } from "./rtf-flow.ts";
import {
	createRtfState,
	type RtfDestination,
	type RtfState,
	resetCharacters,
	resetParagraph,
} from "./rtf-state.ts";
import { createRtfTables } from "./rtf-tables.ts";
import type { RtfToken } from "./tokenize-rtf.ts";

export interface RtfInterpreter {
	take(token: RtfToken): void;
	finish(): { html: string; title: string; author: string };
}

/** The text being written: the document, or a footnote inside it. */
interface Writing {
	readonly flow: RtfFlow;
	html: string;
	marker: string;
	/** Letters outside a fixed-width font; a paragraph without any is code. */
	proseLetters: number;
	codeLetters: number;
}

const createWriting = (): Writing => ({
	flow: createRtfFlow(),
	html: "",
	marker: "",
	proseLetters: 0,
	codeLetters: 0,
});

const DESTINATIONS: Readonly<Record<string, RtfDestination>> = {
	fonttbl: "fonts",
	stylesheet: "styles",
	fldinst: "instruction",
	listtext: "marker",
	pntext: "marker",
	info: "info",
	title: "title",
	author: "author",
	fldrslt: "text",
};

const SKIPPED_DESTINATIONS = new Set(
	(
		"colortbl pict object header headerl headerr headerf footer footerl footerr footerf listtable " +
		"listoverridetable rsidtbl generator xmlnstbl themedata datastore latentstyles revtbl filetbl nonshppict " +
		"objdata annotation atnid atnauthor atrfstart atrfend pntxta pntxtb pn tc xe private"
	).split(" "),
);

const CODE_STYLE = /preformatted|source code|^code|plain text/i;
const QUOTE_STYLE = /^(intense )?(quote|quotations?|block text)/i;
const LEADING_MARKER = /^(\(?[\da-zA-Z]{1,4}[.)]|[•·▪●–—-])\s*\t\s*/u;

export function createRtfInterpreter(): RtfInterpreter {
	const tables = createRtfTables();
	const stack: RtfState[] = [];
	const notes: string[] = [];
	const facts = { title: "", author: "" };
	let state = createRtfState();
	let writing = createWriting();
	let defaultEncoding = "windows-1252";
	let bytes: number[] = [];
	let skipCharacters = 0;
	let starred = false;

	const encoding = (): string => tables.font(state.font).encoding ?? defaultEncoding;
	const flushBytes = (): void => {
		if (bytes.length === 0) return;
		const raw = Uint8Array.from(bytes);
		bytes = [];
		addText(decodeExactly(raw, encoding()) ?? new TextDecoder("windows-1252").decode(raw));
	};

	const addText = (text: string): void => {
		switch (state.destination) {
			case "text":
				if (!state.hidden) addVisible(text);
				break;
			case "fonts":
				tables.fontName(text);
				break;
			case "styles":
				tables.styleName(text);
				break;
			case "instruction":
				if (state.field) state.field.instruction += text;
				break;
			case "marker":
				writing.marker += text;
				break;
			case "title":
			case "author":
				facts[state.destination] += text;
				break;
			default:
		}
	};

	const addVisible = (text: string): void => {
		const fixed = tables.font(state.font).fixed;
		const letters = text.trim().length;
		if (fixed) writing.codeLetters += letters;
		else writing.proseLetters += letters;
		let html = escapeHtml(text);
		if (letters > 0) {
			if (fixed) html = `<code>${html}</code>`;
			if (state.strike) html = `<s>${html}</s>`;
			if (state.italic) html = `<em>${html}</em>`;
			if (state.bold) html = `<strong>${html}</strong>`;
		}
		writing.html += html;
	};

	const headingLevel = (): number => {
		const style = tables.style(state.style);
		const outline = state.outline ?? style.outline;
		if (outline !== undefined && outline >= 0 && outline < 6) return outline + 1;
		const named = /^heading (\d)/i.exec(style.name)?.[1];
		if (named) return Math.min(6, Math.max(1, Number(named)));
		return /^title$/i.test(style.name) ? 1 : 0;
	};

	const endParagraph = (): void => {
		const styleName = tables.style(state.style).name;
		const heading = headingLevel();
		const code =
			!state.inTable &&
			heading === 0 &&
			(CODE_STYLE.test(styleName) || (writing.codeLetters > 0 && writing.proseLetters === 0));
		const plain = code
			? writing.html.replace(/<\/?(?:code|strong|em|s)>/g, "")
			: joinRuns(writing.html, heading > 0);
		const marker =
			writing.marker.trim() || (state.firstIndent < 0 ? (LEADING_MARKER.exec(plain)?.[1] ?? "") : "");
		const html = code ? plain : plain.replace(marker ? LEADING_MARKER : /^(?!)/, "").replaceAll("\t", " ");
		writing.flow.addParagraph(
			{ html, heading, code, quote: QUOTE_STYLE.test(styleName), marker, indent: state.leftIndent },
			state.inTable,
		);
		writing.html = "";
		writing.marker = "";
		writing.proseLetters = 0;
		writing.codeLetters = 0;
	};

	const openField = (): void => {
		state.field = { instruction: "" };
	};
	const openFieldResult = (): void => {
		const start = writing.html.length;
		const target = writing;
		const { field } = state;
		state.onClose = () => {
			const address = /HYPERLINK\s+(?:\\[a-z]\s+)*"([^"]*)"/i.exec(field?.instruction ?? "")?.[1];
			const shown = target.html.slice(start);
			if (address && shown.trim())
				target.html = `${target.html.slice(0, start)}<a href="${escapeHtml(address)}">${shown}</a>`;
		};
	};
	const openFootnote = (): void => {
		const outer = writing;
		const number = notes.push("");
		writing = createWriting();
		state.destination = "text";
		resetParagraph(state);
		resetCharacters(state);
		state.onClose = () => {
			if (writing.html.trim()) endParagraph();
			notes[number - 1] = writing.flow.toHtml();
			writing = outer;
			writing.html += `<a href="#footnote-${number}">${number}</a>`;
		};
	};

	/** Whether the word says where the text of this group goes. */
	const applyDestination = (word: string): boolean => {
		const destination = SKIPPED_DESTINATIONS.has(word) ? "skip" : DESTINATIONS[word];
		if (word === "field") openField();
		else if (word === "footnote") openFootnote();
		else if (!destination) return false;
		else if (state.destination !== "skip") state.destination = destination;
		if (word === "fldrslt") openFieldResult();
		return true;
	};

	const WORDS: Readonly<Record<string, (parameter: number | undefined) => void>> = {
		par: () => state.destination === "text" && endParagraph(),
		sect: () => state.destination === "text" && endParagraph(),
		line: () => {
			if (state.destination === "text") writing.html += "<br>";
		},
		cell: () => {
			state.inTable = true;
			endParagraph();
			writing.flow.endCell();
		},
		row: () => writing.flow.endRow(),
		pard: () => resetParagraph(state),
		plain: () => resetCharacters(state),
		intbl: () => {
			state.inTable = true;
		},
		b: (on) => {
			state.bold = on !== 0;
		},
		i: (on) => {
			state.italic = on !== 0;
		},
		strike: (on) => {
			state.strike = on !== 0;
		},
		v: (on) => {
			state.hidden = on !== 0;
		},
		deleted: (on) => {
			state.hidden = on !== 0;
		},
		f: (number) => {
			state.font = number ?? -1;
		},
		s: (number) => {
			state.style = number ?? 0;
		},
		outlinelevel: (level) => {
			state.outline = level;
		},
		li: (indent) => {
			state.leftIndent = indent ?? 0;
		},
		fi: (indent) => {
			state.firstIndent = indent ?? 0;
		},
		uc: (length) => {
			state.fallbackLength = Math.max(0, length ?? 1);
		},
		ansicpg: (page) => {
			defaultEncoding = codePageEncoding(page ?? 0);
		},
		u: (code) => {
			addText(String.fromCharCode((code ?? 0) & 0xffff));
			skipCharacters = state.fallbackLength;
		},
	};

	const takeWord = (word: string, parameter: number | undefined): void => {
		const wasStarred = starred;
		starred = false;
		if (applyDestination(word)) return;
		if (wasStarred && word !== "cs") {
			state.destination = "skip";
			return;
		}
		if (state.destination === "fonts") tables.fontWord(word, parameter);
		else if (state.destination === "styles") tables.styleWord(word, parameter);
		const character = CHARACTER_WORDS[word];
		if (character) addText(character);
		else if (state.destination !== "styles" && state.destination !== "skip") WORDS[word]?.(parameter);
	};

	const takeText = (text: string): void => {
		const shown = text.slice(skipCharacters);
		skipCharacters = Math.max(0, skipCharacters - text.length);
		if (shown) addText(shown);
	};

	return {
		take: (token) => {
			if (token.kind === "byte") {
				if (skipCharacters > 0) skipCharacters -= 1;
				else bytes.push(token.byte);
				return;
			}
			flushBytes();
			if (token.kind === "text") takeText(token.text);
			else if (token.kind === "open") {
				stack.push(state);
				state = { ...state, onClose: undefined };
			} else if (token.kind === "close") {
				state.onClose?.();
				state = stack.pop() ?? createRtfState();
				skipCharacters = 0;
			} else if (token.kind === "word") takeWord(token.word, token.parameter);
			else if (token.symbol === "*") starred = true;
			else addText(CHARACTER_SYMBOLS[token.symbol] ?? "");
		},
		finish: () => {
			if (writing.html.trim()) endParagraph();
			const list = notes.map((note, index) => `<li id="footnote-${index + 1}">${note}</li>`).join("");
			const html = `${writing.flow.toHtml()}${list ? `<ol>${list}</ol>` : ""}`;
			return { html, title: facts.title.trim(), author: facts.author.trim() };
		},
	};
}

/** Neighbouring runs with the same emphasis become one; in a heading bold says nothing. */
function joinRuns(html: string, isHeading: boolean): string {
	const joined = html.replace(/<\/(strong|em|s|code)>(\s*)<\1>/g, "$2");
	return isHeading ? joined.replace(/<\/?strong>/g, "") : joined;
}
