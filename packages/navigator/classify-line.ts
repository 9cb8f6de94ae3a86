type LineRole = "definition" | "property" | "import" | "comment" | "code";

export interface LineReading {
	readonly role: LineRole;
	/** What the line defines. */
	readonly name?: string;
	readonly exported: boolean;
	/** A variable inside a function: defined here, but rarely what a question means. */
	readonly local: boolean;
	/** Describes a shape and does nothing itself. */
	readonly shape: boolean;
}

/** Only the beginning of a line says what it is; bundles have lines of a megabyte. */
const MAX_LOOKED_AT_CHARS = 300;
const COMMENT = /^\s*(\/\/|\/\*|\*|#(?!(define|include|!\[|[a-zA-Z_]\w*\s*[(=;]))|<!--|--\s|;;|"""|'''|%)/;
const IMPORT =
	/^\s*(import\b(?!\()|export\s+(\*|\{)|from\s+\S+\s+import|#include|use\s+[\w:]+|require\(|(const|let|var)\s+[\w{},\s$:]+=\s*(await\s+)?(require|import)\()/;
/** Handing on what another line or file defines. */
const RE_EXPORT =
	/^\s*(?:module\.)?exports\.([\w$]+)\s*=\s*(?:require\(|(?:[\w$]+\.)*\1\s*[;,]?\s*$)|:\s*typeof import\(/;
const EXPORTED = /^\s*(export|pub|public|exports\.|module\.exports)/;
const DEFINITIONS: readonly RegExp[] = [
	/\b(?:function\*?|class|interface|enum|namespace|struct|trait|def|fn|macro_rules!|defmodule|defp?)\s+(?:\([^)]*\)\s*)?([\p{L}_$][\p{L}\p{N}_$]*)/u,
	/^\s*(?:export\s+)?(?:declare\s+)?(?:pub(?:\([^)]*\))?\s+)?type\s+([A-Za-z_$][\w$]*)/,
	/^\s*#\s*define\s+([A-Za-z_]\w*)/,
	/^func\s+(?:\([^)]*\)\s*)?([A-Za-z_]\w*)/,
	/^\s*(?:export\s+)?(?:declare\s+)?(?:pub(?:\([^)]*\))?\s+)?(?:const|let|var|static|val)\s+(?:mut\s+)?([A-Za-z_$][\w$]*)\s*[:=]/,
	/^\s*(?:module\.)?exports\.([A-Za-z_$][\w$]*)\s*=/,
	/^\s*[\w$.]+\.prototype\.([A-Za-z_$][\w$]*)\s*=/,
	/^\s*([A-Za-z_$][\w$]*)\s*[:=]\s*(?:async\s+)?(?:function\b|\([^)]*\)\s*=>)/,
];
const METHOD =
	/^\s*(?:(?:public|private|protected|static|async|readonly|override|abstract|get|set|export|final|virtual|inline)\s+|\*)*([#A-Za-z_$][\w$]*)\s*(?:<[^>]*>)?\([^;]*\)?\s*(?::[^;={]*)?\{\s*$/;
const TYPED_METHOD =
	/^\s*(?:(?:public|private|protected|static|final|abstract|virtual|inline|unsafe|extern)\s+)+[\w<>[\],.\s*&?]+?\s([A-Za-z_]\w*)\s*\(/;
const PROPERTY =
	/^\s*(?:(?:readonly|static|private|public|protected)\s+)*["']?([A-Za-z_$][\w$-]*)["']?\??\s*:\s/;
const SHAPE = /\b(?:interface|type)\s/;
const NOTHING = { role: "code", exported: false, local: false, shape: false } as const;
const LOCAL = /^\s+(?:const|let|var|val)\s/;
const NOT_A_METHOD: ReadonlySet<string> = new Set([
	"if",
	"for",
	"while",
	"switch",
	"catch",
	"function",
	"return",
	"with",
	"else",
	"do",
	"describe",
	"it",
	"test",
]);

/** Says what part a line plays in its file, from its own text alone. */
export function classifyLine(text: string): LineReading {
	const line = text.slice(0, MAX_LOOKED_AT_CHARS);
	if (COMMENT.test(line)) return { ...NOTHING, role: "comment" };
	if (IMPORT.test(line) || RE_EXPORT.test(line)) return { ...NOTHING, role: "import" };
	const exported = EXPORTED.test(line);
	const name = definedName(line);
	if (name !== undefined) {
		return {
			role: "definition",
			name: name.replace(/^#/, ""),
			exported,
			local: LOCAL.test(line),
			shape: SHAPE.test(line),
		};
	}
	const property = PROPERTY.exec(line)?.[1];
	return property === undefined
		? { ...NOTHING, exported }
		: { ...NOTHING, role: "property", name: property, exported };
}

/** What a line defines for more than the function it is in. */
export function findDefinedName(line: string): string | undefined {
	const { role, local, name } = classifyLine(line);
	return role === "definition" && !local ? name : undefined;
}

function definedName(line: string): string | undefined {
	for (const pattern of DEFINITIONS) {
		const name = pattern.exec(line)?.[1];
		if (name !== undefined) return name;
	}
	const method = METHOD.exec(line)?.[1] ?? TYPED_METHOD.exec(line)?.[1];
	return method === undefined || NOT_A_METHOD.has(method) ? undefined : method;
}
