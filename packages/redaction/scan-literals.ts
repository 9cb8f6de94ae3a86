/** A string to find, at least three characters long. With `ignoreCase` it is in lower case. */
export interface Literal {
	readonly text: string;
	readonly ignoreCase: boolean;
}

/** Called where a literal begins, in the order of the text, with its number in the list. */
type VisitLiteral = (index: number, literal: number) => void;

export type LiteralScan = (text: string, visit: VisitLiteral) => void;

interface Candidate {
	readonly number: number;
	readonly codes: Uint8Array;
	readonly ignoreCase: boolean;
	/** The class of each character. Compared first, because that does not touch the text. */
	readonly classes: Uint8Array;
}

/** Letters of both cases, digits and the other characters of literals fall into 64 classes, so that three make 18 bits. */
const CLASS_BITS = 6;
const TRIPLE_BITS = 3 * CLASS_BITS;
const TRIPLES = 1 << TRIPLE_BITS;
const CHUNK = 1 << 16;

/** What has to follow three characters for a literal to begin with them. */
const [IMPOSSIBLE, A_FOURTH, ANYTHING] = [0, 1, 2];

interface Tables {
	readonly classOf: Uint8Array;
	/** By three characters: what has to follow them. */
	readonly begins: Uint8Array;
	/** By four, folded together: whether some literal begins with them. */
	readonly goesOn: Uint8Array;
	readonly bucketOf: Uint16Array;
	readonly buckets: readonly (readonly Candidate[])[];
}

/**
 * Finds hundreds of literals in one pass. At almost every position two tables show that nothing begins there.
 * The text is read as bytes, in chunks; characters that this would confuse are compared again in the text itself.
 */
export function createLiteralScan(literals: readonly Literal[]): LiteralScan {
	const tables = createTables(literals);
	const reach = Math.max(...literals.map(({ text }) => text.length));
	return (text, visit) => {
		const bytes = new Uint8Array(Math.min(CHUNK, text.length) + reach);
		const target = Buffer.from(bytes.buffer);
		for (let from = 0; from < text.length; from += CHUNK) {
			bytes.fill(0, target.write(text.slice(from, from + CHUNK + reach), "latin1"));
			scanChunk(tables, bytes, Math.min(CHUNK, text.length - from), (offset, candidate) => {
				if (startsHere(text, from + offset, candidate)) visit(from + offset, candidate.number);
			});
		}
	};
}

type VisitCandidate = (offset: number, candidate: Candidate) => void;

/** `bytes` go on after `length` by the longest literal, so that none is cut. */
function scanChunk(tables: Tables, bytes: Uint8Array, length: number, visit: VisitCandidate): void {
	const { classOf, bucketOf, buckets } = tables;
	for (
		let offset = nextBeginning(tables, bytes, 0, length);
		offset < length;
		offset = nextBeginning(tables, bytes, offset + 1, length)
	) {
		const bucket = buckets[bucketOf[tripleAt(bytes, offset, classOf)] ?? 0] ?? [];
		for (const candidate of bucket) {
			if (hasClasses(candidate.classes, bytes, offset, classOf)) visit(offset, candidate);
		}
	}
}

/** Almost all the time is spent in this loop; a call inside of it would halve its speed. */
function nextBeginning(tables: Tables, bytes: Uint8Array, from: number, length: number): number {
	const { classOf, begins, goesOn } = tables;
	let triple = tripleAt(bytes, from - 1, classOf);
	for (let offset = from; offset < length; offset += 1) {
		triple = ((triple << CLASS_BITS) | (classOf[bytes[offset + 2] as number] as number)) & (TRIPLES - 1);
		const following = begins[triple];
		if (following === IMPOSSIBLE) continue;
		if (following === ANYTHING) return offset;
		if (goesOn[foldFour(triple, classOf[bytes[offset + 3] as number] as number)] !== 0) return offset;
	}
	return length;
}

function tripleAt(bytes: Uint8Array, offset: number, classOf: Uint8Array): number {
	const first = classOf[bytes[offset] ?? 0] ?? 0;
	const second = classOf[bytes[offset + 1] ?? 0] ?? 0;
	return (((first << CLASS_BITS) | second) << CLASS_BITS) | (classOf[bytes[offset + 2] ?? 0] ?? 0);
}

function hasClasses(classes: Uint8Array, bytes: Uint8Array, from: number, classOf: Uint8Array): boolean {
	for (let offset = 3; offset < classes.length; offset += 1) {
		if (classOf[bytes[from + offset] as number] !== classes[offset]) return false;
	}
	return true;
}

function startsHere(text: string, index: number, { codes, ignoreCase }: Candidate): boolean {
	for (let offset = 0; offset < codes.length; offset += 1) {
		const code = text.charCodeAt(index + offset);
		if ((ignoreCase ? toLowerCode(code) : code) !== codes[offset]) return false;
	}
	return true;
}

function toLowerCode(code: number): number {
	return code >= 65 && code <= 90 ? code + 32 : code;
}

const CLASSED_PUNCTUATION = "_-.:/ =$\"'@|+,;({\t\\%~<>#[\n";

function createClassTable(): Uint8Array {
	const table = new Uint8Array(256);
	Buffer.from("abcdefghijklmnopqrstuvwxyz").forEach((code, index) => {
		table[code] = index + 1;
		table[code - 32] = index + 1;
	});
	Buffer.from(`0123456789${CLASSED_PUNCTUATION}`).forEach((code, index) => {
		table[code] = index + 27;
	});
	return table;
}

function createTables(literals: readonly Literal[]): Tables {
	const classOf = createClassTable();
	const begins = new Uint8Array(TRIPLES);
	const goesOn = new Uint8Array(TRIPLES);
	const bucketOf = new Uint16Array(TRIPLES);
	const buckets: Candidate[][] = [[]];
	literals.forEach(({ text, ignoreCase }, number) => {
		const codes = new Uint8Array(Buffer.from(text, "latin1"));
		const classes = codes.map((code) => classOf[code] ?? 0);
		const triple = tripleAt(codes, 0, classOf);
		const fourth = classes[3];
		if (fourth !== undefined) goesOn[foldFour(triple, fourth)] = 1;
		if (begins[triple] !== ANYTHING) begins[triple] = fourth === undefined ? ANYTHING : A_FOURTH;
		if (bucketOf[triple] === 0) bucketOf[triple] = buckets.push([]) - 1;
		buckets[bucketOf[triple] ?? 0]?.push({ number, codes, ignoreCase, classes });
	});
	return { classOf, begins, goesOn, bucketOf, buckets };
}

function foldFour(triple: number, next: number): number {
	return ((triple << 5) ^ (triple >> 7) ^ next) & (TRIPLES - 1);
}
