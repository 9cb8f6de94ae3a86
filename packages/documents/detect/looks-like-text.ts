/** UTF-16 contains zero bytes and starts with a mark that says so; other text has none. */
export function looksLikeText(head: Uint8Array): boolean {
	const [first, second] = head;
	const isUtf16 = (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff);
	return isUtf16 || !head.includes(0);
}
