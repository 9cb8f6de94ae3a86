import { createRtfGroup, type RtfGroup } from "./rtf-group.ts";
import { createRtfTables, type RtfTables } from "./rtf-tables.ts";
import { createRtfWriting, type RtfWriting } from "./rtf-writing.ts";

/** Everything the interpreter remembers from one token to the next. */
export interface RtfState {
	readonly tables: RtfTables;
	readonly facts: { title: string; author: string };
	/** The footnotes in the order of their numbers, as HTML. */
	readonly notes: string[];
	/** The groups around the current one. */
	readonly outerGroups: RtfGroup[];
	group: RtfGroup;
	writing: RtfWriting;
	defaultEncoding: string;
	/** Bytes of the code page that are not decoded yet; one character may need several. */
	bytes: number[];
	/** Fallback characters after `\u` that are still to be skipped. */
	skipCharacters: number;
	/** Whether `\*` came just before: a group with an unknown word is then skipped. */
	starred: boolean;
}

export function createRtfState(): RtfState {
	return {
		tables: createRtfTables(),
		facts: { title: "", author: "" },
		notes: [],
		outerGroups: [],
		group: createRtfGroup(),
		writing: createRtfWriting(),
		defaultEncoding: "windows-1252",
		bytes: [],
		skipCharacters: 0,
		starred: false,
	};
}
