const TOKEN = /\[(!?)([^\]]+)\]|\{([^{}]*,[^{}]*)\}|[\\^$.|?*+(){}[\]]/g;
const ANYTHING = "[\\s\\S]*";

/**
 * A shell pattern as a test: `*`, `?`, `[…]`, and `{a,b}` one level deep. `*` also matches slashes, as it does for
 * `find -path`.
 */
export function createGlobMatcher(pattern: string, ignoreCase: boolean): (text: string) => boolean {
	// Stars in a row mean the same as one, and would make the test slow.
	const expression = new RegExp(`^${toSource(pattern.replace(/\*+/g, "*"))}$`, ignoreCase ? "i" : "");
	return (text) => expression.test(text);
}

function toSource(pattern: string): string {
	return pattern.replace(TOKEN, (token: string, negated?: string, set?: string, choices?: string) => {
		if (set !== undefined) return `[${negated === "!" ? "^" : ""}${set.replace(/[\\\]^[]/g, "\\$&")}]`;
		if (choices !== undefined) return `(?:${choices.split(",").map(toSource).join("|")})`;
		if (token === "*") return ANYTHING;
		return token === "?" ? "[\\s\\S]" : `\\${token}`;
	});
}
