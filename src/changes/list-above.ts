/** The directories around a path, from the outside in. */
export function listAbove(path: string): readonly string[] {
	const names = path.split("/");
	return names.slice(1).map((_, at) => names.slice(0, at + 1).join("/"));
}
