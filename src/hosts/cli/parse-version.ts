/** Major and minor of a version such as `22.19.0`. */
export function parseVersion(text: string): readonly [number, number] {
	const [major, minor] = text.split(".").map((part) => Number.parseInt(part, 10) || 0);
	return [major ?? 0, minor ?? 0];
}
