const CONTEXT_CHARS = 300;
const MAX_PASSAGES = 10;

interface Passage {
	readonly offset: number;
	readonly text: string;
}

/** Where a text says something, with its surroundings; passages that would overlap are given once. */
export function findPassages(text: string, wanted: string): { passages: Passage[]; total: number } {
	const lower = text.toLowerCase();
	const needle = wanted.toLowerCase();
	const passages: Passage[] = [];
	let total = 0;
	let coveredUntil = -1;
	for (let at = lower.indexOf(needle); at !== -1; at = lower.indexOf(needle, at + needle.length)) {
		total += 1;
		if (at < coveredUntil || passages.length >= MAX_PASSAGES) continue;
		const offset = Math.max(0, at - CONTEXT_CHARS);
		coveredUntil = at + needle.length + CONTEXT_CHARS;
		passages.push({ offset, text: text.slice(offset, coveredUntil) });
	}
	return { passages, total };
}
