import { escapePattern } from "@deputize/ground";
import { classifyLine } from "./classify-line.ts";
import { classifyPath, NOT_CODE, type PathKind } from "./classify-path.ts";
import type { CodeIndex, IndexedFile } from "./code-index/code-index.ts";
import { findFilesWith } from "./code-index/find-files-with.ts";
import { MAX_LINE_CHARS } from "./collect-evidence.ts";
import type { QuotedPlace } from "./quote-line.ts";
import type { FileFacts, Mark } from "./syntax/file-facts.ts";

/**
 * "member" is a call of the last part of a dotted name on something else, which may be the same; "unread" a line of a file
 * that was not parsed, in which nobody knows what it is.
 */
type UseKind = "definition" | "declaration" | "call" | "member" | "import" | "reference" | "unread";

export interface Use extends QuotedPlace {
	readonly kind: UseKind;
	/** Where the name begins in the file. */
	readonly start: number;
}

const KIND_ORDER: readonly PathKind[] = ["source", "declaration", "example", "test", "fixture", "vendored"];
const NAME_PARTS = /^(?:(.+?)(?:\.|::|#|->)+)?#?([^.:#>-][^.:#>]*)$/;
/** `word-word` is one name there. */
const HYPHENATED: ReadonlySet<string> = new Set(["bash", "powershell"]);

/**
 * Where code uses a name, also a qualified one such as `res.json` or `Pool::get`. A longer name that contains it is another
 * name; comments, strings and documents are no use of it. Sources come before tests, files that only use it before the one that
 * defines it.
 */
export function findUses(index: CodeIndex, name: string): Use[] {
	const [, qualifier, last = name] = NAME_PARTS.exec(name) ?? [];
	const files = findFilesWith(index, last).filter(({ path }) => !NOT_CODE.has(classifyPath(path)));
	const order = ({ path }: { readonly path: string }): number => KIND_ORDER.indexOf(classifyPath(path));
	files.sort((a, b) => order(a) - order(b));
	index.syntax?.need(files);
	const uses = files.flatMap((file) => findInFile(file, index.syntax?.factsOf(file), last, qualifier));
	const defining = new Set(uses.filter(({ kind }) => kind === "definition").map(({ path }) => path));
	// What nobody parsed can be guessed at for the order.
	const called = new RegExp(`${escapePattern(last)}\\s*(?:<[^<>()]*>)?\\(`);
	const looksUsed = ({ text }: Use): boolean =>
		called.test(text) && classifyLine(undefined, 0, text).role === "code";
	const rank = (use: Use): number =>
		order(use) * 4 + (defining.has(use.path) ? 2 : 0) + (use.kind !== "unread" || looksUsed(use) ? 0 : 1);
	return uses.sort((a, b) => rank(a) - rank(b) || (a.path === b.path ? a.line - b.line : 0));
}

function findInFile(
	file: IndexedFile,
	facts: FileFacts | undefined,
	name: string,
	qualifier: string | undefined,
): Use[] {
	const { path, text } = file;
	const occurs = new RegExp(`(?<![\\p{L}\\p{N}_$])${escapePattern(name)}(?![\\p{L}\\p{N}_$])`, "gu");
	const found = new Map<string, Use>();
	const lines = text.split("\n");
	const lineAt = facts?.lineAt ?? createLineCounter(text);
	for (const { index: start } of text.matchAll(occurs)) {
		const kind =
			facts === undefined
				? "unread"
				: classifyUse(facts, text, { start, end: start + name.length }, qualifier);
		if (kind === undefined) continue;
		const line = lineAt(start);
		const key = `${line} ${kind}`;
		if (!found.has(key))
			found.set(key, { path, line, start, kind, text: (lines[line - 1] ?? "").slice(0, MAX_LINE_CHARS) });
	}
	// A line that calls it says no more by mentioning it too.
	return [...found.values()].filter(
		({ kind, line }) =>
			kind !== "reference" ||
			!(["call", "definition"] as const).some((other) => found.has(`${line} ${other}`)),
	);
}

/** Undefined for what is no use: a comment, a text, another name. */
function classifyUse(
	facts: FileFacts,
	text: string,
	{ start, end }: Pick<Mark, "start" | "end">,
	qualifier: string | undefined,
): UseKind | undefined {
	const mark = facts.markAt(start);
	if (qualifier === undefined && isImportedModule(facts, start, end)) return "import";
	if (mark?.kind === "comment" || mark?.kind === "text") return undefined;
	if (mark?.kind === "importing") return qualifier === undefined ? "import" : undefined;
	// `valid?` in Ruby begins like `valid`, and is another name.
	if ((mark !== undefined && mark.end !== end) || isHyphenated(facts, text, start, end)) return undefined;
	if (mark !== undefined && mark.kind !== "call") {
		if (qualifier !== undefined && !isDefinedIn(facts, text, start, qualifier)) return undefined;
		return mark.kind === "declaration" ? "declaration" : "definition";
	}
	if (qualifier === undefined || isQualified(text, start, qualifier))
		return mark === undefined ? "reference" : "call";
	const isOnSomething = /(?:\.|::|->)\s*#?$/.test(text.slice(Math.max(0, start - 20), start));
	return mark !== undefined && isOnSomething ? "member" : undefined;
}

/** `import x from "./ui/prompt.js"` imports the module `prompt`. */
function isImportedModule({ modules }: FileFacts, start: number, end: number): boolean {
	return modules.some(
		({ name, start: from, end: to }) =>
			from <= start && end <= to && /^(?:\.\w+)?["'>]?$/.test(name.slice(end - from)),
	);
}

/** In shells `make` is no part of `make-it`. */
function isHyphenated({ language }: FileFacts, text: string, start: number, end: number): boolean {
	return (
		HYPHENATED.has(language) &&
		(/\w-$/.test(text.slice(start - 2, start)) || /^-\w/.test(text.slice(end, end + 2)))
	);
}

const BEFORE_CHARS = 200;

/** Whether the name is written with what it belongs to before it. */
function isQualified(text: string, start: number, qualifier: string): boolean {
	const before = text.slice(Math.max(0, start - BEFORE_CHARS), start).replace(/\s*[?!]?(\.|::|->)\s*/g, "$1");
	const [, written = ""] = /([\w$.:>-]+?)(?:\.|::|->|#)+$/.exec(before) ?? [];
	return written === qualifier || (/[.:>]/.test(written) && written.split(/\.|::|->/).at(-1) === qualifier);
}

/** A method belongs to the type that its definition names, or to the last type that was defined before it. */
function isDefinedIn({ definitions }: FileFacts, text: string, start: number, qualifier: string): boolean {
	if (isQualified(text, start, qualifier)) return true;
	const owner = qualifier.split(/\.|::|->|#/).at(-1);
	const types = definitions.filter(
		({ kind, start: at }) => at < start && (kind === "type" || kind === "shape"),
	);
	if (types.at(-1)?.name === owner) return true;
	// Rust and Go name it in front of the methods.
	const before = text.slice(0, start);
	const implemented = [...before.matchAll(/^impl\b[^{]*?\b(\w+)(?:<[^{]*>)?\s*(?:where[^{]*)?\{/gm)].at(
		-1,
	)?.[1];
	return (
		implemented === owner ||
		new RegExp(`\\(\\s*\\w*\\s*\\*?\\s*${escapePattern(owner ?? "")}(?:\\[[^\\]]*\\])?\\s*\\)\\s*$`).test(
			before.slice(-BEFORE_CHARS),
		)
	);
}

function createLineCounter(text: string): (offset: number) => number {
	let at = 0;
	let line = 1;
	return (offset) => {
		for (let end = text.indexOf("\n", at); end !== -1 && end < offset; end = text.indexOf("\n", at)) {
			at = end + 1;
			line += 1;
		}
		return line;
	};
}
