import { COMMAND_RULES } from "./command-rules.ts";
import type { ContextRule } from "./context-rule.ts";
import { createLiteralSearch } from "./create-literal-search.ts";
import { DOCUMENT_RULES, STRUCTURE_RULES } from "./document-rules.ts";
import { HEADER_RULES } from "./header-rules.ts";
import type { Deadline, Span } from "./spans.ts";
import { SQL_RULES } from "./sql-rules.ts";
import { URL_RULES } from "./url-rules.ts";

export const CONTEXT_RULES: readonly ContextRule[] = [
	...HEADER_RULES,
	...URL_RULES,
	...COMMAND_RULES,
	...SQL_RULES,
	...DOCUMENT_RULES,
];

const searchLiterals = createLiteralSearch(
	CONTEXT_RULES.flatMap((rule) => rule.literals.map((literal) => [literal, rule] as const)),
	true,
);

/** Secrets known by their surroundings: headers, URLs, command lines, SQL, credential files. */
export function findContextRules(text: string, deadline: Deadline): Span[] {
	const spans: Span[] = [];
	searchLiterals(text, (index, rule) => {
		deadline.check();
		applyRule(text, index, rule, spans);
		return undefined;
	});
	for (const rule of STRUCTURE_RULES) {
		if (!rule.requires.test(text)) continue;
		for (const match of text.matchAll(new RegExp(rule.pattern.source, "g"))) {
			deadline.check();
			if (rule.accept?.(match[0]) !== false)
				spans.push({ start: match.index, end: match.index + match[0].length });
		}
	}
	return spans;
}

function applyRule(text: string, index: number, rule: ContextRule, spans: Span[]): void {
	rule.pattern.lastIndex = index;
	const match = rule.pattern.exec(text);
	if (match === null) return;
	for (const name of ["secret", "secret2"]) {
		const range = match.indices?.groups?.[name];
		if (range === undefined) continue;
		if (rule.accept(text.slice(range[0], range[1]), match)) spans.push({ start: range[0], end: range[1] });
	}
}
