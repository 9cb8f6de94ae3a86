import { timingSafeEqual } from "node:crypto";

/** Compares in a time that says nothing about where two tokens of the same length differ. */
export function isSameToken(given: string, expected: string): boolean {
	const [left, right] = [Buffer.from(given), Buffer.from(expected)];
	return left.length === right.length && timingSafeEqual(left, right);
}
