import { createComputingClock } from "@deputize/ground";
import { MARK_KINDS, type Mark, type MarkKind, packMarks } from "./file-facts.ts";
import type { OpenGrammar } from "./open-grammars.ts";

/** A file that takes longer is written to be slow, or not in the language it is called by. */
const MAX_PARSE_MS = 2000;
const KINDS: ReadonlySet<string> = new Set(MARK_KINDS);
/** Also `A<T>::`, and where a macro stands between a type and a name, which the tree then takes for a scope. */
const BEFORE_NAME = /^(?:(?:[^<"']|<(?:[^<>]|<[^<>]*>)*>(?=\s*::))*(?:::|\s)\s*|[:#"'<])/;
const AFTER_NAME = /(?:["'>]|<.*)$/s;

/** The marks of a text, packed; undefined when it could not be parsed in time. */
export function learnFile({ parser, query, hide }: OpenGrammar, text: string): Uint32Array | undefined {
	const readTime = createComputingClock();
	// True ends it; the types know no result.
	const progressCallback: () => unknown = () => readTime() > MAX_PARSE_MS;
	try {
		const tree = parser.parse(hide?.(text) ?? text, null, { progressCallback });
		if (tree === null) return undefined;
		try {
			const captures = query.captures(tree.rootNode, { progressCallback });
			return packMarks(
				captures.flatMap(({ name, node: { startIndex, endIndex } }) => {
					const kind = toKind(name, endIndex, text);
					return kind === undefined ? [] : toMarks(kind, startIndex, endIndex, text);
				}),
			);
		} finally {
			tree.delete();
		}
	} catch {
		return undefined;
	} finally {
		parser.reset();
	}
}

/** Of `A::b`, `b<T>`, `:symbol`, `#private`, `<file.h>` and quoted names the name. */
function toMarks(kind: MarkKind, start: number, end: number, text: string): Mark[] {
	const isRange = kind === "importing" || kind === "comment" || kind === "text";
	const written = isRange ? "" : text.slice(start, end);
	const isPath = kind === "module" && !/^["'<]/.test(written);
	const before = isPath ? 0 : (BEFORE_NAME.exec(written)?.[0].length ?? 0);
	const after = isPath ? 0 : (AFTER_NAME.exec(written.slice(before))?.[0].length ?? 0);
	return end - after <= start + before ? [] : [{ kind, start: start + before, end: end - after }];
}

/** In a macro of Rust a name is called when a bracket follows. */
function toKind(capture: string, end: number, text: string): MarkKind | undefined {
	if (capture === "applied") return text[end] === "(" ? "call" : undefined;
	return KINDS.has(capture) ? (capture as MarkKind) : undefined;
}
