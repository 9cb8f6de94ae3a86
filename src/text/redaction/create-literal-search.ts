/** Called where a literal begins. Returns where to go on, or nothing to go on with the next character. */
export type VisitLiteral<Entry> = (index: number, entry: Entry, literal: string) => number | undefined;

export type LiteralSearch<Entry> = (text: string, visit: VisitLiteral<Entry>) => void;

const ASCII = 128;

interface Bucket<Entry> {
	readonly literal: string;
	readonly codes: readonly number[];
	readonly entries: readonly Entry[];
}

/**
 * Finds many literals in one pass. A table over pairs of characters tells at almost every position that nothing begins
 * there; that makes hundreds of literals about as cheap as one. At one position the longest literal comes first.
 */
export function createLiteralSearch<Entry>(
	entries: readonly (readonly [literal: string, entry: Entry])[],
	ignoreCase: boolean,
): LiteralSearch<Entry> {
	const buckets: Bucket<Entry>[][] = [[]];
	const bucketOfPair = new Uint16Array(ASCII * ASCII);
	for (const bucket of groupByLiteral(entries)) addToBuckets(bucket, buckets, bucketOfPair, ignoreCase);
	for (const list of buckets) list.sort((left, right) => right.literal.length - left.literal.length);
	return (text, visit) => {
		const limit = text.length;
		let index = 0;
		let first = ASCII;
		for (let position = 0; position < limit; position += 1) {
			const second = text.charCodeAt(position);
			const bucket = first < ASCII && second < ASCII ? (bucketOfPair[first * ASCII + second] ?? 0) : 0;
			first = second;
			if (bucket === 0 || position <= index) continue;
			const next = visitBucket(text, position - 1, buckets[bucket] ?? [], visit, ignoreCase);
			if (next === undefined) continue;
			index = Math.max(next, position);
			position = index - 1;
			first = ASCII;
		}
	};
}

function visitBucket<Entry>(
	text: string,
	index: number,
	bucket: readonly Bucket<Entry>[],
	visit: VisitLiteral<Entry>,
	ignoreCase: boolean,
): number | undefined {
	for (const { literal, codes, entries } of bucket) {
		if (!startsWithCodes(text, index, codes, ignoreCase)) continue;
		for (const entry of entries) {
			const next = visit(index, entry, literal);
			if (next !== undefined) return next;
		}
	}
	return undefined;
}

function startsWithCodes(
	text: string,
	index: number,
	codes: readonly number[],
	ignoreCase: boolean,
): boolean {
	for (let offset = 2; offset < codes.length; offset += 1) {
		const code = text.charCodeAt(index + offset);
		if ((ignoreCase ? toLowerCode(code) : code) !== codes[offset]) return false;
	}
	return true;
}

function toLowerCode(code: number): number {
	return code >= 65 && code <= 90 ? code + 32 : code;
}

function groupByLiteral<Entry>(entries: readonly (readonly [string, Entry])[]): Bucket<Entry>[] {
	const groups = new Map<string, Entry[]>();
	for (const [literal, entry] of entries) groups.set(literal, [...(groups.get(literal) ?? []), entry]);
	return [...groups].map(([literal, group]) => ({
		literal,
		codes: Array.from(literal, (character) => character.charCodeAt(0)),
		entries: group,
	}));
}

function addToBuckets<Entry>(
	bucket: Bucket<Entry>,
	buckets: Bucket<Entry>[][],
	bucketOfPair: Uint16Array,
	ignoreCase: boolean,
): void {
	const spellings = (character: string) =>
		ignoreCase ? new Set([character.toLowerCase(), character.toUpperCase()]) : [character];
	for (const first of spellings(bucket.literal.charAt(0))) {
		for (const second of spellings(bucket.literal.charAt(1))) {
			const pair = first.charCodeAt(0) * ASCII + second.charCodeAt(0);
			if (bucketOfPair[pair] === 0) bucketOfPair[pair] = buckets.push([]) - 1;
			buckets[bucketOfPair[pair] ?? 0]?.push(bucket);
		}
	}
}
