export interface SnappedName {
	readonly name: string;
	/** UTF-16 offset in the line. */
	readonly character: number;
	/** True when the position given is already on the name. */
	readonly isThere: boolean;
}

const NAME = /[\p{ID_Start}_$][\p{ID_Continue}$\u200c\u200d]*/gu;

/** Models miss columns, rarely lines: the name at the position, or the nearest one on the line. */
export function snapToName(line: string, character: number): SnappedName | undefined {
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
