import { matchAt } from "@deputize/ground";
import { type Detector, type Hits, inAnyCase } from "../detector.ts";
import type { Deadline, Span } from "../spans.ts";

/** A secret with neither a fixed part nor a name. */
export interface StructureRule {
	readonly kind: string;
	/** Only searched for in texts that contain this word, in any case. */
	readonly mentions?: string;
	/** Sticky. Has to match where the word is. */
	readonly mentionedAs?: RegExp;
	/** Only searched for in texts in which this, cheaper, pattern matches. */
	readonly requires?: RegExp;
	/** Global. The whole match is replaced. */
	readonly pattern: RegExp;
	readonly accept?: (secret: string) => boolean;
}

/** Forms without a fixed part. None is searched for in a text without its word or its cheaper pattern. */
export const STRUCTURE_RULES: readonly StructureRule[] = [
	{
		kind: "mailgun",
		mentions: "mailgun",
		pattern: /(?<![0-9a-f-])[0-9a-f]{32}-[0-9a-f]{8}-[0-9a-f]{8}(?![0-9a-f-])/g,
	},
	{
		kind: "ghost-admin",
		mentions: "ghost",
		mentionedAs: /ghost.{0,40}(?:key|api|admin)/iy,
		pattern: /(?<![0-9a-f:])[0-9a-f]{24}:[0-9a-f]{64}(?![0-9a-f])/g,
	},
	{
		kind: "key-as-numbers",
		// Sixty-four bytes and nothing else, as wallets write their key files.
		requires: /^\s{0,8}\[\s{0,8}\d{1,3},/,
		pattern: /\[(?:\s{0,8}\d{1,3}\s{0,4},){63}\s{0,8}\d{1,3}\s{0,8}\]/g,
		accept: (secret) => new Set(secret.match(/\d+/g)).size > 40,
	},
];

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
