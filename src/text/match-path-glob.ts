const MAX_PATTERN_CHARS = 1000;
/** Every further star multiplies the time a long name can take. */
const MAX_STARS = 9;
const TOKEN = /\*\*\/|\*\*|\*|\?|\[(!?)([^\]/]+)\]|\{([^{}]*)\}|[\\^$.|+(){}[\]]/g;

/**
 * A glob as a test of relative paths with forward slashes. `*` and `?` stay within a name, `**` crosses
 * directories, `[…]` and `{a,b}` are known. A pattern without a slash is matched against the name alone; one
 * with a slash may begin at any directory, unless it starts with one.
 */
export function createPathGlob(pattern: string): (path: string) => boolean {
	// Stars in a row mean the same as two, and would make the test slow.
	const plain = pattern.replace(/\*{2,}/g, "**").slice(0, MAX_PATTERN_CHARS);
	if (plain.split("*").length > MAX_STARS)
		throw new Error(`A pattern may hold at most ${MAX_STARS - 1} stars.`);
	const anywhere = plain.startsWith("/") || plain.startsWith("**/") ? "" : "(?:.*/)?";
	const expression = new RegExp(`^${anywhere}${toSource(plain.replace(/^\.?\//, ""))}$`);
	if (plain.includes("/")) return (path) => expression.test(path);
	return (path) => expression.test(path.slice(path.lastIndexOf("/") + 1));
}

function toSource(pattern: string): string {
	return pattern.replace(TOKEN, (token: string, negated?: string, set?: string, choices?: string) => {
		if (set !== undefined) return `[${negated === "!" ? "^" : ""}${set.replace(/[\\\]^[]/g, "\\$&")}]`;
		if (choices !== undefined) return `(?:${choices.split(",").map(toSource).join("|")})`;
		if (token === "**/") return "(?:.*/)?";
		if (token === "**") return ".*";
		if (token === "*") return "[^/]*";
		return token === "?" ? "[^/]" : `\\${token}`;
	});
}
