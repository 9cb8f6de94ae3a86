/** The JSON text in an answer, tried in this order: all of it, the inside of one code fence, the largest `{…}` in it. */
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
	const object = findLargestObject(whole);
	if (object !== undefined) yield object;
}

interface Scan {
	depth: number;
	start: number;
	inString: boolean;
	best: readonly [number, number] | undefined;
}

/** One pass; braces inside strings do not count. */
function findLargestObject(text: string): string | undefined {
	const scan: Scan = { depth: 0, start: 0, inString: false, best: undefined };
	for (let at = 0; at < text.length; at += 1) {
		const character = text[at];
		if (!scan.inString) acceptOutsideString(scan, character, at);
		else if (character === "\\") at += 1;
		else if (character === '"') scan.inString = false;
	}
	return scan.best === undefined ? undefined : text.slice(scan.best[0], scan.best[1] + 1);
}

function acceptOutsideString(scan: Scan, character: string | undefined, at: number): void {
	if (character === '"') scan.inString = scan.depth > 0;
	else if (character === "{") {
		if (scan.depth === 0) scan.start = at;
		scan.depth += 1;
	} else if (character === "}" && scan.depth > 0) {
		scan.depth -= 1;
		const isLargest = scan.best === undefined || at - scan.start > scan.best[1] - scan.best[0];
		if (scan.depth === 0 && isLargest) scan.best = [scan.start, at];
	}
}
