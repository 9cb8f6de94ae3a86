/** `1 turn`, `2 turns`. */
export function formatCount(count: number, noun: string): string {
	return `${count} ${noun}${count === 1 ? "" : "s"}`;
}
