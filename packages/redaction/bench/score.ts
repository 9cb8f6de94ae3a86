import type { LookAlike, Positive } from "../fixtures/random-secrets.ts";

export interface Score {
	readonly missed: readonly { name: string; text: string; result: string }[];
	readonly recall: number;
	readonly total: number;
}

const WINDOW = 10;

/** A secret leaks when it, or ten of its characters in a row, are still there. */
export function leaks(result: string, secret: string): boolean {
	if (secret.length <= WINDOW) return result.includes(secret);
	for (let start = 0; start + WINDOW <= secret.length; start += 1) {
		if (result.includes(secret.slice(start, start + WINDOW))) return true;
	}
	return false;
}

export function scorePositives(cases: readonly Positive[], sanitize: (text: string) => string): Score {
	const missed = cases.flatMap(({ name, text, secrets }) => {
		const result = sanitize(text);
		return secrets.some((secret) => leaks(result, secret)) ? [{ name, text, result }] : [];
	});
	return { missed, total: cases.length, recall: 1 - missed.length / cases.length };
}

export function scoreLookAlikes(cases: readonly LookAlike[], sanitize: (text: string) => string): Score {
	const missed = cases.flatMap(({ name, text }) => {
		const result = sanitize(text);
		return result === text ? [] : [{ name, text, result }];
	});
	return { missed, total: cases.length, recall: missed.length / cases.length };
}
