/** What a sticky pattern matches at an index; a global one, from there on. */
export function matchAt(pattern: RegExp, text: string, index: number): RegExpExecArray | null {
	pattern.lastIndex = index;
	return pattern.exec(text);
}
