import { COMMAND_RULES } from "./command-rules.ts";
import type { ContextRule } from "./context-rule.ts";
import { DOCUMENT_RULES } from "./document-rules.ts";
import { HEADER_RULES } from "./header-rules.ts";
import type { Deadline, Span } from "./spans.ts";
import { URL_RULES } from "./url-rules.ts";

export const CONTEXT_RULES: readonly ContextRule[] = [
	...HEADER_RULES,
	...URL_RULES,
	...COMMAND_RULES,
	...DOCUMENT_RULES,
];

/** Secrets known by their surroundings: headers, URLs, command lines, SQL, credential files. */
export function findContextRules(text: string, deadline: Deadline): Span[] {
	const lowerCase = text.toLowerCase();
	const spans: Span[] = [];
	for (const rule of CONTEXT_RULES) {
		deadline.check();
		if (rule.literals.some((literal) => lowerCase.includes(literal))) applyRule(text, rule, deadline, spans);
	}
	return spans;
}

function applyRule(text: string, rule: ContextRule, deadline: Deadline, spans: Span[]): void {
	rule.pattern.lastIndex = 0;
	for (let match = rule.pattern.exec(text); match !== null; match = rule.pattern.exec(text)) {
		deadline.check();
		const indices = match.indices?.groups;
		for (const name of ["secret", "secret2"]) {
			const range = indices?.[name];
			if (range === undefined || range[0] === range[1]) continue;
			if (rule.accept(text.slice(range[0], range[1]), match)) spans.push({ start: range[0], end: range[1] });
		}
		// The end of one match may be the start of the next: `a=1; b=2` in a cookie, options on one line.
		rule.pattern.lastIndex = Math.max(match.index + 1, match.index + match[0].length - 1);
	}
}
