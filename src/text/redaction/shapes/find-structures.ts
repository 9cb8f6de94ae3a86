import { type Detector, type Hits, inAnyCase } from "../detector.ts";
import type { Deadline, Span } from "../spans.ts";
import { STRUCTURE_RULES } from "./structures.ts";

const MENTIONS = STRUCTURE_RULES.flatMap((rule) => (rule.mentions === undefined ? [] : [rule.mentions]));

/** Secrets that have neither a fixed part nor a name, only a form. */
export const STRUCTURES: Detector = { literals: inAnyCase(MENTIONS), find: findStructures };

function findStructures(text: string, hits: Hits, deadline: Deadline): Span[] {
	const mentioned = new Set(hits.literals.map((literal) => MENTIONS[literal]));
	const spans: Span[] = [];
	for (const rule of STRUCTURE_RULES) {
		if (rule.mentions !== undefined && !mentioned.has(rule.mentions)) continue;
		if (rule.requires?.test(text) === false) continue;
		for (const match of text.matchAll(new RegExp(rule.pattern.source, "g"))) {
			deadline.check();
			if (rule.accept?.(match[0]) === false) continue;
			spans.push({ start: match.index, end: match.index + match[0].length });
		}
	}
	return spans;
}
