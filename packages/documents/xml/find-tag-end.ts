const GREATER_THAN = 0x3e;
const DOUBLE_QUOTE = 0x22;
const SINGLE_QUOTE = 0x27;

/** The position of the `>` that ends the tag starting at `open`, or -1. An attribute value may contain a `>` too. */
export function findTagEnd(source: string | Buffer, open: number): number {
	let quote = 0;
	for (let position = open + 1; position < source.length; position += 1) {
		const code = typeof source === "string" ? source.charCodeAt(position) : source[position];
		if (quote !== 0) quote = code === quote ? 0 : quote;
		else if (code === DOUBLE_QUOTE || code === SINGLE_QUOTE) quote = code;
		else if (code === GREATER_THAN) return position;
	}
	return -1;
}
