import { matchAt } from "../../match-at.ts";
import { type Detector, type Hits, inAnyCase } from "../detector.ts";
import type { Deadline, Span } from "../spans.ts";
import { STRUCTURE_RULES } from "./structures.ts";

const MENTIONING = STRUCTURE_RULES.flatMap(({ mentions, mentionedAs }) =>
	mentions === undefined ? [] : [{ mentions, mentionedAs }],
);

/** Secrets that have neither a fixed part nor a name, only a form. */
export const STRUCTURES: Detector = {
	literals: inAnyCase(MENTIONING.map(({ mentions }) => mentions)),
	find: findStructures,
};

function findStructures(text: string, hits: Hits, deadline: Deadline): Span[] {
	const mentioned = collectMentioned(text, hits);
	const spans: Span[] = [];
	for (const rule of STRUCTURE_RULES) {
		if (rule.mentions !== undefined && !mentioned.has(rule.mentions)) continue;
		if (rule.requires?.test(text) === false) continue;
		for (const match of text.matchAll(rule.pattern)) {
			deadline.check();
			if (rule.accept?.(match[0]) === false) continue;
			spans.push({ start: match.index, end: match.index + match[0].length });
		}
	}
	return spans;
}

function collectMentioned(text: string, hits: Hits): ReadonlySet<string> {
	const mentioned = new Set<string>();
	hits.indexes.forEach((index, hit) => {
		const rule = MENTIONING[hits.literals[hit] ?? 0];
		if (rule === undefined || mentioned.has(rule.mentions)) return;
		if (rule.mentionedAs === undefined || matchAt(rule.mentionedAs, text, index) !== null)
			mentioned.add(rule.mentions);
	});
	return mentioned;
}
