/** The JSON text in an answer, tried in this order: all of it, the inside of one code fence, the largest `{…}` in it. */
export function extractJson(answer: string): { readonly text: string; readonly value: unknown } | undefined {
	for (const candidate of listCandidates(answer)) {
		try {
			return { text: candidate, value: JSON.parse(candidate) as unknown };
		} catch {
			// The next candidate may do; nothing is ever repaired.
		}
	}
	return undefined;
}

function* listCandidates(answer: string): Generator<string> {
	const whole = answer.replace(/^\ufeff/, "").trim();
	yield whole;
	const fence = /```(?:json)?\s*\n([\s\S]*?)\n\s*```/i.exec(whole)?.[1];
	if (fence !== undefined) yield fence.trim();
	const object = findLargestObject(whole);
	if (object !== undefined) yield object;
}

/** One pass; braces inside strings do not count. */
function findLargestObject(text: string): string | undefined {
	let best: readonly [number, number] | undefined;
	let depth = 0;
	let start = 0;
	let inString = false;
	for (let at = 0; at < text.length; at += 1) {
		const character = text[at];
		if (inString) {
			if (character === "\\") at += 1;
			else if (character === '"') inString = false;
		} else if (character === '"') inString = depth > 0;
		else if (character === "{") {
			if (depth === 0) start = at;
			depth += 1;
		} else if (character === "}" && depth > 0) {
			depth -= 1;
			if (depth === 0 && (best === undefined || at - start > best[1] - best[0])) best = [start, at];
		}
	}
	return best === undefined ? undefined : text.slice(best[0], best[1] + 1);
}
