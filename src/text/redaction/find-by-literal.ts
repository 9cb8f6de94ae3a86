import { COMMAND_RULES } from "./command-rules.ts";
import type { ContextRule } from "./context-rule.ts";
import { createLiteralSearch, type Literal } from "./create-literal-search.ts";
import { DOCUMENT_RULES } from "./document-rules.ts";
import { HEADER_RULES } from "./header-rules.ts";
import { matchShape, type RefusedUntil, TOKEN_SHAPES } from "./match-token-shape.ts";
import type { Deadline, Span } from "./spans.ts";
import { SQL_RULES } from "./sql-rules.ts";
import type { TokenShape } from "./token-shape.ts";
import { URL_RULES } from "./url-rules.ts";

export const CONTEXT_RULES: readonly ContextRule[] = [
	...HEADER_RULES,
	...URL_RULES,
	...COMMAND_RULES,
	...SQL_RULES,
	...DOCUMENT_RULES,
];

type Entry = { readonly shape: TokenShape } | { readonly rule: ContextRule };

const searchLiterals = createLiteralSearch<Entry>([
	...TOKEN_SHAPES.flatMap((shape) => toLiterals(shape.literals, false, { shape })),
	...CONTEXT_RULES.flatMap((rule) => toLiterals(rule.literals, true, { rule })),
]);

function toLiterals(literals: readonly string[], ignoreCase: boolean, entry: Entry): Literal<Entry>[] {
	return literals.map((literal) => ({ literal, ignoreCase, entry }));
}

/** Tokens known by their shape, and secrets known by their surroundings: headers, URLs, command lines, SQL, files. */
export function findByLiteral(text: string, deadline: Deadline): Span[] {
	const spans: Span[] = [];
	const refusedUntil: RefusedUntil = new Map();
	searchLiterals(text, (index, entry) => {
		deadline.check();
		const found =
			"shape" in entry
				? [matchShape(text, index, entry.shape, refusedUntil)].filter((span) => span !== undefined)
				: applyRule(text, index, entry.rule);
		spans.push(...found);
		// What was found is not read again from a literal inside of it.
		return found.at(-1)?.end;
	});
	return spans;
}

function applyRule(text: string, index: number, rule: ContextRule): Span[] {
	rule.pattern.lastIndex = index;
	const match = rule.pattern.exec(text);
	if (match === null) return [];
	return ["secret", "secret2"].flatMap((name) => {
		const range = match.indices?.groups?.[name];
		if (range === undefined || !rule.accept(text.slice(range[0], range[1]), match)) return [];
		return [{ start: range[0], end: range[1] }];
	});
}
