/** A file of a tree. */
export interface SourceFile {
	readonly path: string;
	readonly text: string;
}

/** What a mark says about a stretch of a text; as they are stored, so that new kinds come last. */
export const MARK_KINDS = [
	"function",
	"method",
	"type",
	"shape",
	"macro",
	"value",
	/** A name whose body is elsewhere: a prototype, a method of an interface. */
	"declaration",
	"call",
	/** A whole import statement. */
	"importing",
	/** What it names: a path, a package. */
	"module",
	"comment",
	/** What a string contains, or other prose. */
	"text",
] as const;

export type MarkKind = (typeof MARK_KINDS)[number];

export interface Mark {
	readonly kind: MarkKind;
	/** Offsets into the text, the second one exclusive. */
	readonly start: number;
	readonly end: number;
}

export interface NamedPlace {
	readonly kind: MarkKind;
	readonly name: string;
	readonly line: number;
	readonly start: number;
	readonly end: number;
}

/** What the syntax tree of a file says. */
export interface FileFacts {
	/** Name of the grammar. */
	readonly language: string;
	readonly definitions: readonly NamedPlace[];
	readonly calls: readonly NamedPlace[];
	readonly modules: readonly NamedPlace[];
	/** Counted from 1. */
	lineAt(offset: number): number;
	/** Where a line begins. */
	offsetOf(line: number): number;
	/** The import, comment or text around an offset, or the name that begins there. */
	markAt(offset: number): Mark | undefined;
}

const DEFINING: ReadonlySet<MarkKind> = new Set(MARK_KINDS.slice(0, 7));
const RANGES: ReadonlySet<MarkKind> = new Set(["importing", "comment", "text"]);
const NUMBERS_OF_MARK = 3;

export function packMarks(marks: readonly Mark[]): Uint32Array {
	return Uint32Array.from(marks.flatMap(({ kind, start, end }) => [MARK_KINDS.indexOf(kind), start, end]));
}

/** Undefined when the numbers cannot be those of this text: what was stored may have been written by somebody else. */
export function toFileFacts(language: string, packed: Uint32Array, text: string): FileFacts | undefined {
	const marks = unpackMarks(packed, text.length);
	if (marks === undefined) return undefined;
	const offsets = listLineOffsets(text);
	const lineAt = (offset: number): number => findLast(offsets, (start) => start <= offset) + 1;
	const ranges = marks.filter(({ kind }) => RANGES.has(kind));
	const starts = new Map<number, Mark>();
	let importedTo = 0;
	for (const mark of marks) {
		if (mark.kind === "importing") importedTo = Math.max(importedTo, mark.end);
		// What is imported is defined elsewhere, also where the language writes it like a constant.
		const isImported = mark.start < importedTo && DEFINING.has(mark.kind);
		if (!RANGES.has(mark.kind) && !isImported) keepFirstKind(starts, mark);
	}
	const named = [...starts.values()].map(
		({ kind, start, end }): NamedPlace => ({
			kind,
			name: text.slice(start, end),
			line: lineAt(start),
			start,
			end,
		}),
	);
	return {
		language,
		definitions: named.filter(({ kind }) => DEFINING.has(kind)),
		calls: named.filter(({ kind }) => kind === "call"),
		modules: marks
			.filter(({ kind }) => kind === "module")
			.map((mark) => ({ ...mark, name: text.slice(mark.start, mark.end), line: lineAt(mark.start) })),
		lineAt,
		offsetOf: (line) => offsets[line - 1] ?? text.length,
		markAt(offset) {
			const named = starts.get(offset);
			if (named !== undefined && named.kind !== "module") return named;
			// Ranges do not overlap but for texts inside of imports, and begin in order.
			for (let at = findLast(ranges, ({ start }) => start <= offset); at >= 0; at -= 1) {
				const range = ranges[at];
				if (range !== undefined && offset < range.end) return range;
				if (range !== undefined && offset - range.start > MAX_IMPORT_CHARS) return undefined;
			}
			return undefined;
		},
	};
}

/** No import is longer; one that is around a place cannot have begun earlier. */
const MAX_IMPORT_CHARS = 4000;

/** Of two readings of a name the first kind: a constant that is a function is a function. */
function keepFirstKind(starts: Map<number, Mark>, mark: Mark): void {
	const known = starts.get(mark.start);
	if (known === undefined || MARK_KINDS.indexOf(mark.kind) < MARK_KINDS.indexOf(known.kind))
		starts.set(mark.start, mark);
}

function unpackMarks(packed: Uint32Array, length: number): Mark[] | undefined {
	const marks: Mark[] = [];
	for (let at = 0; at < packed.length; at += NUMBERS_OF_MARK) {
		const kind = MARK_KINDS[packed[at] ?? MARK_KINDS.length];
		const [start = 0, end = 0] = packed.subarray(at + 1, at + NUMBERS_OF_MARK);
		if (kind === undefined || end <= start || end > length) return undefined;
		marks.push({ kind, start, end });
	}
	// What is around others comes before them.
	return marks.sort(
		(a, b) => a.start - b.start || Number(RANGES.has(b.kind)) - Number(RANGES.has(a.kind)) || b.end - a.end,
	);
}

function listLineOffsets(text: string): number[] {
	const offsets = [0];
	for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) offsets.push(at + 1);
	return offsets;
}

/** The last position, by halving, where a condition that is true up to it and false after it is true; -1 for nowhere. */
function findLast<Item>(items: readonly Item[], isBefore: (item: Item) => boolean): number {
	let low = -1;
	let high = items.length - 1;
	while (low < high) {
		const middle = (low + high + 1) >> 1;
		if (isBefore(items[middle] as Item)) low = middle;
		else high = middle - 1;
	}
	return low;
}
