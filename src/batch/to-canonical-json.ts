/** JSON with sorted keys: the same text for the same value, whatever database or parser it went through. */
export function toCanonicalJson(value: unknown): string {
	return JSON.stringify(value, (_key, item: unknown) => {
		if (typeof item !== "object" || item === null || Array.isArray(item)) return item;
		return Object.fromEntries(Object.entries(item).sort(([left], [right]) => (left < right ? -1 : 1)));
	});
}
