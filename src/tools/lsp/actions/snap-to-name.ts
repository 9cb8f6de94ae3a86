interface SnappedName {
	readonly name: string;
	/** UTF-16 offset in the line. */
	readonly character: number;
	/** True when the position given is already on the name. */
	readonly isThere: boolean;
}

const NAME = /[\p{ID_Start}_$][\p{ID_Continue}$\u200c\u200d]*/gu;

/** Models miss columns, rarely lines: the name at the position, or the nearest one on the line. */
export function snapToName(line: string, character: number): SnappedName | undefined {
	const plain = takePlainName(line, character);
	if (plain !== undefined && character <= line.length) return { name: plain, character, isThere: true };
	let nearest: SnappedName | undefined;
	let nearestDistance = Number.POSITIVE_INFINITY;
	for (const match of line.matchAll(NAME)) {
		const start = match.index;
		const end = start + match[0].length;
		if (character >= start && character <= end) return { name: match[0], character, isThere: true };
		const distance = character < start ? start - character : character - end;
		if (distance >= nearestDistance) continue;
		nearestDistance = distance;
		nearest = { name: match[0], character: start, isThere: false };
	}
	return nearest;
}

/** The name around the position, when it and its neighbors are ASCII: nearly every call, without the large pattern. */
function takePlainName(line: string, character: number): string | undefined {
	let start = Math.min(character, line.length);
	let end = start;
	while (start > 0 && isPlainPart(line.charCodeAt(start - 1))) start -= 1;
	while (end < line.length && isPlainPart(line.charCodeAt(end))) end += 1;
	if (start === end || isDigit(line.charCodeAt(start))) return undefined;
	// Beyond the ends of the line this is NaN, which is no letter either.
	const isWhole = !(line.charCodeAt(start - 1) > MAX_ASCII) && !(line.charCodeAt(end) > MAX_ASCII);
	return isWhole ? line.slice(start, end) : undefined;
}

const MAX_ASCII = 0x7f;

function isPlainPart(code: number): boolean {
	const lower = code | 0x20;
	return (lower >= 0x61 && lower <= 0x7a) || isDigit(code) || code === 0x5f || code === 0x24;
}

function isDigit(code: number): boolean {
	return code >= 0x30 && code <= 0x39;
}
