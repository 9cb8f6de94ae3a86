import type { FileFacts, NamedPlace } from "./syntax/file-facts.ts";

type LineRole = "definition" | "property" | "import" | "comment" | "code";

export interface LineReading {
	readonly role: LineRole;
	/** What the line defines. */
	readonly name?: string;
	/** Without a grammar: good enough for an order, not for a statement. */
	readonly guessed: boolean;
	readonly exported: boolean;
	/** A variable inside a function: defined here, but rarely what a question means. */
	readonly local: boolean;
	/** Describes a shape and does nothing itself. */
	readonly shape: boolean;
	/** Says that there is something whose body is elsewhere. */
	readonly declared: boolean;
}

/** Only the beginning of a line says what it is; bundles have lines of a megabyte. */
const MAX_LOOKED_AT_CHARS = 300;
const COMMENT = /^\s*(?:\/\/|\/\*|\*|#(?!\w)|<!--|--\s|;;|"""|'''|%)/;
const EXPORTED = /^\s*(?:export|pub|public|exports\.|module\.exports)\b/;
const LOCAL = /^\s+(?:const|let|var|val)\s/;
/** What most languages write before a name that they define. */
const DEFINED =
	/^\s*(?:[\w@]+\s+)*?(?:function|class|interface|enum|struct|trait|object|protocol|module|def|defp?|defmodule|fn|fun|func|sub|type|val|let|const)\s+([\p{L}_][\p{L}\p{N}_]*)/u;
const PROPERTY =
	/^\s*(?:(?:readonly|static|private|public|protected)\s+)*["']?([A-Za-z_$][\w$-]*)["']?\??\s*:\s/;
const CODE = {
	role: "code",
	guessed: false,
	exported: false,
	local: false,
	shape: false,
	declared: false,
} as const;

/** What part a line plays in its file: by its syntax tree, else by a guess from its own text. */
export function classifyLine(facts: FileFacts | undefined, line: number, text: string): LineReading {
	const shown = text.slice(0, MAX_LOOKED_AT_CHARS);
	if (facts === undefined) return guessLine(shown);
	const exported = EXPORTED.test(shown);
	const [first] = definitionsOn(facts, line);
	if (first !== undefined)
		return {
			...CODE,
			role: "definition",
			name: first.name,
			exported,
			local: LOCAL.test(shown),
			shape: first.kind === "shape",
			declared: first.kind === "declaration",
		};
	const around = facts.markAt(facts.offsetOf(line) + (/\S/.exec(shown)?.index ?? 0));
	if (around?.kind === "importing") return { ...CODE, role: "import" };
	// Texts over several lines describe what they are in, as comments do.
	if (around?.kind === "comment" || (around?.kind === "text" && facts.lineAt(around.start) < line))
		return { ...CODE, role: "comment" };
	return toProperty(shown, { ...CODE, exported });
}

/** The strongest first: a function before what is called like it. */
export function definitionsOn({ definitions }: FileFacts, line: number): NamedPlace[] {
	return definitions.filter((definition) => definition.line === line).sort((a, b) => a.start - b.start);
}

function guessLine(text: string): LineReading {
	if (COMMENT.test(text)) return { ...CODE, guessed: true, role: "comment" };
	const exported = EXPORTED.test(text);
	const name = DEFINED.exec(text)?.[1];
	if (name === undefined) return toProperty(text, { ...CODE, guessed: true, exported });
	return { ...CODE, role: "definition", guessed: true, name, exported, local: LOCAL.test(text) };
}

function toProperty(text: string, reading: LineReading): LineReading {
	const name = PROPERTY.exec(text)?.[1];
	return name === undefined ? reading : { ...reading, role: "property", name };
}
