/** What is looked for. With `ignoreCase` the literal is written in lower case. */
export interface Literal<Entry> {
	readonly literal: string;
	readonly ignoreCase: boolean;
	readonly entry: Entry;
}

/** Called where a literal begins. Returns where to go on, or nothing to go on with the next character. */
export type VisitLiteral<Entry> = (index: number, entry: Entry) => number | undefined;

export type LiteralSearch<Entry> = (text: string, visit: VisitLiteral<Entry>) => void;

const ASCII = 128;

interface Candidate<Entry> extends Literal<Entry> {
	readonly codes: readonly number[];
}

/**
 * Finds many literals in one pass. A table over pairs of characters tells at almost every position that nothing begins
 * there; that makes hundreds of literals about as cheap as one. Where several begin, all are visited.
 */
export function createLiteralSearch<Entry>(literals: readonly Literal<Entry>[]): LiteralSearch<Entry> {
	const buckets: Candidate<Entry>[][] = [[]];
	const bucketOfPair = new Uint16Array(ASCII * ASCII);
	for (const literal of literals) addToBuckets(literal, buckets, bucketOfPair);
	const mayFollow = createThirdCharacterTable(buckets);
	return (text, visit) => {
		let resumeAt = 0;
		let first = 0;
		for (let position = 0; position < text.length; position += 1) {
			const second = text.charCodeAt(position);
			const bucket = bucketOfPair[((first & 127) << 7) | (second & 127)] ?? 0;
			first = second;
			if (bucket === 0 || position <= resumeAt) continue;
			if (mayFollow[bucket * ASCII + (text.charCodeAt(position + 1) & 127)] === 0) continue;
			const next = visitBucket(text, position - 1, buckets[bucket] ?? [], visit);
			if (next === undefined) continue;
			resumeAt = Math.max(next, position);
			position = resumeAt - 1;
			first = 0;
		}
	};
}

function visitBucket<Entry>(
	text: string,
	index: number,
	bucket: readonly Candidate<Entry>[],
	visit: VisitLiteral<Entry>,
): number | undefined {
	let furthest: number | undefined;
	for (const candidate of bucket) {
		if (!startsHere(text, index, candidate)) continue;
		const next = visit(index, candidate.entry);
		if (next !== undefined) furthest = Math.max(next, furthest ?? 0);
	}
	return furthest;
}

/** Which third characters some literal of a bucket goes on with. Two letters alone are too common in ordinary words. */
function createThirdCharacterTable<Entry>(buckets: readonly (readonly Candidate<Entry>[])[]): Uint8Array {
	const table = new Uint8Array(buckets.length * ASCII);
	buckets.forEach((bucket, number) => {
		for (const candidate of bucket) {
			const from = number * ASCII;
			if (candidate.literal.length === 2) table.fill(1, from, from + ASCII);
			else for (const code of spellings(candidate, 2)) table[from + code] = 1;
		}
	});
	return table;
}

/** The first two characters are known to fit only in their lower seven bits. */
function startsHere<Entry>(text: string, index: number, { codes, ignoreCase }: Candidate<Entry>): boolean {
	for (let offset = 0; offset < codes.length; offset += 1) {
		const code = text.charCodeAt(index + offset);
		if ((ignoreCase ? toLowerCode(code) : code) !== codes[offset]) return false;
	}
	return true;
}

function toLowerCode(code: number): number {
	return code >= 65 && code <= 90 ? code + 32 : code;
}

function addToBuckets<Entry>(
	literal: Literal<Entry>,
	buckets: Candidate<Entry>[][],
	bucketOfPair: Uint16Array,
): void {
	const candidate = {
		...literal,
		codes: Array.from(literal.literal, (character) => character.charCodeAt(0)),
	};
	for (const first of spellings(literal, 0)) {
		for (const second of spellings(literal, 1)) {
			const pair = first * ASCII + second;
			if (bucketOfPair[pair] === 0) bucketOfPair[pair] = buckets.push([]) - 1;
			buckets[bucketOfPair[pair] ?? 0]?.push(candidate);
		}
	}
}

function spellings<Entry>({ literal, ignoreCase }: Literal<Entry>, position: number): Set<number> {
	const character = literal.charAt(position);
	const both = ignoreCase ? [character.toLowerCase(), character.toUpperCase()] : [character];
	return new Set(both.map((spelling) => spelling.charCodeAt(0)));
}
