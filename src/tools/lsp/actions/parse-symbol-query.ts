export interface SymbolQuery {
	readonly name: string;
	/** Enclosing names, outermost first. */
	readonly container: readonly string[];
	/** `name#2`: the second of several. */
	readonly ordinal?: number;
}

/** `name`, `name()`, `` `name` ``, `Container.name`, `ns::name`, `Container#name` and `name#2`. */
export function parseSymbolQuery(query: string): SymbolQuery {
	const bare = query
		.replace(/[`'"]/g, "")
		.replace(/\([^)]*\)$/, "")
		.trim();
	const numbered = /^(.*)#(\d{1,4})$/.exec(bare);
	const words = (numbered?.[1] ?? bare).split(/::|->|[.#]/).filter((word) => word !== "");
	const name = words.pop() ?? bare;
	const ordinal = numbered?.[2] === undefined ? 0 : Number(numbered[2]);
	return { name, container: words, ...(ordinal > 0 ? { ordinal } : {}) };
}

/** Whether a symbol is the one asked for; servers add brackets, receivers and package names. */
export function matchesQuery(query: SymbolQuery, name: string, container: readonly string[]): boolean {
	const spoken = parseSymbolQuery(name);
	if (spoken.name !== query.name) return false;
	if (query.container.length === 0) return true;
	const around = [...container.flatMap((part) => part.split(/::|[./]/)), ...spoken.container];
	const wanted = query.container;
	return wanted.every((part, index) => around.at(index - wanted.length) === part) || endsLike(around, wanted);
}

function endsLike(around: readonly string[], wanted: readonly string[]): boolean {
	const last = wanted.at(-1);
	return last !== undefined && wanted.length === 1 && around.includes(last);
}
