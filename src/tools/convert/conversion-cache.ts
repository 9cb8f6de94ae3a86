import type { Conversion } from "@deputize/documents";

export interface ConvertedAnswer extends Conversion {
	readonly provider: string;
	readonly fileSize: number;
}

export type ConversionCache = ReturnType<typeof createConversionCache>;

const MAX_ENTRIES = 8;
const MAX_TOTAL_CHARS = 8_000_000;
const MAX_AGE_MS = 10 * 60_000;

/** The last few documents, so that turning a page does not convert (or download) the whole thing again. */
export function createConversionCache() {
	const entries = new Map<string, { readonly answer: ConvertedAnswer; readonly storedAt: number }>();
	const totalChars = (): number =>
		[...entries.values()].reduce((sum, { answer }) => sum + answer.markdown.length, 0);
	return {
		get: (key: string): ConvertedAnswer | undefined => {
			const entry = entries.get(key);
			if (!entry) return undefined;
			entries.delete(key);
			if (Date.now() - entry.storedAt > MAX_AGE_MS) return undefined;
			entries.set(key, entry);
			return entry.answer;
		},
		set: (key: string, answer: ConvertedAnswer): void => {
			entries.delete(key);
			entries.set(key, { answer, storedAt: Date.now() });
			for (const oldest of entries.keys()) {
				if (entries.size <= MAX_ENTRIES && totalChars() <= MAX_TOTAL_CHARS) break;
				entries.delete(oldest);
			}
		},
	};
}
