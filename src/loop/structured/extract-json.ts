import { parseJson } from "@deputize/ground";

/** The JSON text in an answer, tried in this order: all of it, the inside of one code fence, the largest object or list of objects in it. */
export function extractJson(answer: string): { readonly text: string; readonly value: unknown } | undefined {
	for (const candidate of listJsonCandidates(answer)) {
		try {
			return { text: candidate, value: JSON.parse(candidate) as unknown };
		} catch {
			// The next candidate may do; nothing is ever repaired.
		}
	}
	return undefined;
}

function* listJsonCandidates(answer: string): Generator<string> {
	const whole = answer.replace(/^\ufeff/, "").trim();
	yield whole;
	const fence = /```(?:json)?\s*\n([\s\S]*?)\n\s*```/i.exec(whole)?.[1];
	if (fence !== undefined) yield fence.trim();
	const largest = findLargest(whole);
	if (largest !== undefined) yield largest;
}

/** Where an object or a list of objects can begin: not at a brace of prose or code, nor at a number in brackets. */
const BEGINNING = /\{(?=\s*["}])|\[(?=\s*\{)/g;
const STRING_OR_BRACKET = /"(?:[^"\\]|\\[\s\S])*"|[{}[\]]/g;
/** What looks like a beginning and is none costs a look at the rest of the answer. */
const MAX_SCANNED_CHARS = 16 * 1024 * 1024;

function findLargest(text: string): string | undefined {
	let best: string | undefined;
	let scanned = 0;
	let from = 0;
	for (const { index } of text.matchAll(BEGINNING)) {
		if (index < from) continue;
		if (scanned > MAX_SCANNED_CHARS) break;
		const end = findEnd(text, index);
		scanned += (end ?? text.length) - index;
		const found = text.slice(index, end);
		if (end === undefined || parseJson(found) === undefined) continue;
		from = end;
		if (found.length > (best?.length ?? 0)) best = found;
	}
	return best;
}

/** Behind the bracket that closes the one at `start`. Brackets inside strings do not count. */
function findEnd(text: string, start: number): number | undefined {
	let depth = 0;
	const tokens = new RegExp(STRING_OR_BRACKET);
	tokens.lastIndex = start;
	for (let token = tokens.exec(text); token !== null; token = tokens.exec(text)) {
		if (token[0] === "{" || token[0] === "[") depth += 1;
		else if (token[0] === "}" || token[0] === "]") depth -= 1;
		if (depth === 0) return tokens.lastIndex;
	}
	return undefined;
}
