export interface TextPage {
	readonly text: string;
	readonly offset: number;
	/** Where the next page begins; undefined at the end. */
	readonly nextOffset?: number;
	readonly total: number;
}

/**
 * A page of a text. All pages together are the whole text; none ends inside a character, most end with a line: where a
 * line ends within the last `lineBreakShare` of the page.
 */
export function sliceText(text: string, offset: number, limit: number, lineBreakShare = 0.2): TextPage {
	const start = Math.min(Math.max(0, offset), text.length);
	const hardEnd = Math.min(text.length, start + Math.max(1, limit));
	if (hardEnd >= text.length) return { text: text.slice(start), offset: start, total: text.length };
	const end = chooseEnd(text, start, hardEnd, lineBreakShare);
	return { text: text.slice(start, end), offset: start, nextOffset: end, total: text.length };
}

function chooseEnd(text: string, start: number, hardEnd: number, lineBreakShare: number): number {
	const lineBreak = text.lastIndexOf("\n", hardEnd - 1) + 1;
	if (lineBreak > start && lineBreak > hardEnd - (hardEnd - start) * lineBreakShare) return lineBreak;
	const unit = text.charCodeAt(hardEnd - 1);
	const splitsPair = unit >= 0xd800 && unit <= 0xdbff;
	// One character that needs two units and a limit of one: go over the limit rather than make no progress.
	if (splitsPair) return hardEnd - 1 > start ? hardEnd - 1 : hardEnd + 1;
	return hardEnd;
}

/** Divides a budget of characters: short texts leave what they do not need to the long ones. */
export function shareBudget(lengths: readonly number[], budget: number): number[] {
	const shares = lengths.map(() => 0);
	let open = lengths.map((_, index) => index);
	let rest = budget;
	while (open.length > 0) {
		const equal = Math.floor(rest / open.length);
		const satisfied = open.filter((index) => (lengths[index] ?? 0) <= equal);
		if (satisfied.length === 0) {
			for (const index of open) shares[index] = equal;
			return shares;
		}
		for (const index of satisfied) {
			shares[index] = lengths[index] ?? 0;
			rest -= shares[index] ?? 0;
		}
		open = open.filter((index) => !satisfied.includes(index));
	}
	return shares;
}
