import { matchAt } from "@deputize/ground";
import { type Detector, exactly, type Hits, inAnyCase } from "./detector.ts";
import { CODE_RULES } from "./places/code-rules.ts";
import { COMMAND_RULES } from "./places/command-rules.ts";
import type { ContextRule } from "./places/context-rule.ts";
import { DOCUMENT_RULES } from "./places/document-rules.ts";
import { HEADER_RULES } from "./places/header-rules.ts";
import { OUTPUT_RULES } from "./places/output-rules.ts";
import { SQL_RULES } from "./places/sql-rules.ts";
import { URL_RULES } from "./places/url-rules.ts";
import { createBrokenShapeMatch, type MatchBrokenShape } from "./shapes/match-broken-shape.ts";
import { isTokenStart, matchShape, type RefusedUntil, TOKEN_SHAPES } from "./shapes/match-token-shape.ts";
import type { TokenShape } from "./shapes/token-shape.ts";
import type { Deadline, Span } from "./spans.ts";

export const CONTEXT_RULES: readonly ContextRule[] = [
	...HEADER_RULES,
	...URL_RULES,
	...COMMAND_RULES,
	...SQL_RULES,
	...DOCUMENT_RULES,
	...CODE_RULES,
	...OUTPUT_RULES,
];

type Entry = { readonly shape: TokenShape } | { readonly rule: PreparedRule };

interface PreparedRule extends ContextRule {
	/** The same pattern with indices. They cost far more than the match itself, so that only accepted ones pay. */
	readonly located: RegExp;
}

/** What each literal leads to. */
const ENTRIES: readonly Entry[] = [
	...TOKEN_SHAPES.flatMap((shape) => shape.literals.map(() => ({ shape }))),
	...CONTEXT_RULES.flatMap((rule) => {
		const located = new RegExp(rule.pattern.source, `${rule.pattern.flags}d`);
		return rule.literals.map(() => ({ rule: { ...rule, located } }));
	}),
];

/** Tokens known by their shape, and secrets known by their surroundings: headers, URLs, command lines, SQL, files. */
export const FORMS_AND_PLACES: Detector = {
	literals: [
		...exactly(TOKEN_SHAPES.flatMap(({ literals }) => literals)),
		...inAnyCase(CONTEXT_RULES.flatMap(({ literals }) => literals)),
	],
	find: findByLiteral,
};

/** What is known about the text so far, so that nothing is read twice. */
interface Reading {
	readonly refusedUntil: RefusedUntil;
	readonly matchBrokenShape: MatchBrokenShape;
	/** For patterns that must follow: where the next one begins, and how far there is no other. */
	readonly nextOf: Map<RegExp, { readonly next: number; readonly searchedUntil: number }>;
}

function findByLiteral(text: string, hits: Hits, deadline: Deadline): Span[] {
	const spans: Span[] = [];
	const reading: Reading = {
		refusedUntil: new Map(),
		matchBrokenShape: createBrokenShapeMatch(text),
		nextOf: new Map(),
	};
	// What was found is not read again from a literal inside of it. Literals that begin together are all tried.
	let foundUntil = 0;
	let foundAt = 0;
	hits.indexes.forEach((index, hit) => {
		if (index < foundUntil && index !== foundAt) return;
		deadline.check();
		const found = applyEntry(text, index, ENTRIES[hits.literals[hit] ?? 0], reading);
		for (const span of found) spans.push(span);
		const end = found.at(-1)?.end ?? 0;
		if (end <= foundUntil) return;
		foundUntil = end;
		foundAt = index;
	});
	return spans;
}

const MAY_BE_BROKEN = /["'`\r\n\\]/;
const NOTHING: readonly Span[] = [];

function applyEntry(
	text: string,
	index: number,
	entry: Entry | undefined,
	reading: Reading,
): readonly Span[] {
	if (entry === undefined) return NOTHING;
	if ("rule" in entry) return applyRule(text, index, entry.rule, reading);
	if (entry.shape.before === undefined && !isTokenStart(text, index)) return NOTHING;
	const span = matchShape(text, index, entry.shape, reading.refusedUntil);
	if (span === undefined || MAY_BE_BROKEN.test(text.charAt(span.end))) {
		const broken = reading.matchBrokenShape(index, entry.shape);
		if (broken.length > 0) return broken;
	}
	return span === undefined ? NOTHING : [span];
}

const GROUPS = ["secret", "secret2"] as const;

function applyRule(text: string, index: number, rule: PreparedRule, reading: Reading): readonly Span[] {
	if (rule.follows !== undefined && !comesSoon(rule.follows, text, index, reading)) return NOTHING;
	const match = matchAt(rule.pattern, text, index);
	if (match === null) return NOTHING;
	const accepted = GROUPS.filter((group) => {
		const secret = match.groups?.[group];
		return secret && (rule.accept?.(secret, match) ?? true);
	});
	if (accepted.length === 0) return NOTHING;
	const ranges = matchAt(rule.located, text, index)?.indices?.groups ?? {};
	return accepted.map((group) => {
		const [start, end] = ranges[group] as [number, number];
		return { start, end };
	});
}

/** The longest token that is the user of an address, and what may be around it. */
const FOLLOWS_WITHIN = 420;
const SEARCHED_AT_ONCE = 4_096;

/** Each part of the text is searched once, however many literals come before it. */
function comesSoon(pattern: RegExp, text: string, index: number, { nextOf }: Reading): boolean {
	const known = nextOf.get(pattern);
	if (known !== undefined && known.next >= index) return known.next - index <= FOLLOWS_WITHIN;
	if (known !== undefined && known.searchedUntil >= index + FOLLOWS_WITHIN) return false;
	const found = matchAt(pattern, text.slice(index, index + SEARCHED_AT_ONCE), 0)?.index;
	nextOf.set(pattern, {
		next: found === undefined ? -1 : index + found,
		// What begins at the end of the stretch may be cut.
		searchedUntil: index + (found ?? SEARCHED_AT_ONCE - FOLLOWS_WITHIN),
	});
	return found !== undefined && found <= FOLLOWS_WITHIN;
}
