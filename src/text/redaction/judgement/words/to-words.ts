/** A word list as it is written in this folder: one word a line, in lower case, sorted. */
export function toWords(list: string): ReadonlySet<string> {
	return new Set(list.trim().split("\n"));
}
