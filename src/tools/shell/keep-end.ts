const MAX_BYTES = 50 * 1024;

/** As many whole lines from the end as fit: what went wrong is said last. */
export function keepEnd(
	lines: readonly string[],
	maxLines: number,
): { readonly text: string; readonly notice?: string } {
	const kept: string[] = [];
	let bytes = 0;
	for (const line of lines.toReversed()) {
		bytes += Buffer.byteLength(line) + 1;
		if (kept.length >= maxLines || bytes > MAX_BYTES) break;
		kept.push(line);
	}
	const text = kept.reverse().join("\n");
	if (kept.length === lines.length) return { text };
	if (kept.length > 0) return { text, notice: `Showing the last ${kept.length} of ${lines.length} lines` };
	const last = lines.at(-1) ?? "";
	return { text: last.slice(-MAX_BYTES), notice: `Showing the end of a line of ${last.length} characters` };
}
