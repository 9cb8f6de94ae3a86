import { STRUCTURE_RULES } from "./document-rules.ts";
import type { Deadline, Span } from "./spans.ts";

/** Secrets that have neither a fixed part nor a name, only a form. */
export function findStructures(text: string, deadline: Deadline): Span[] {
	const spans: Span[] = [];
	for (const rule of STRUCTURE_RULES) {
		if (!rule.requires.test(text)) continue;
		for (const match of text.matchAll(new RegExp(rule.pattern.source, "g"))) {
			deadline.check();
			if (rule.accept?.(match[0]) === false) continue;
			spans.push({ start: match.index, end: match.index + match[0].length });
		}
	}
	return spans;
}
