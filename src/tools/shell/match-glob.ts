/** A shell pattern as a test: `*` and `?` and `[…]`, as `find -name` reads them. `*` also matches slashes. */
export function createGlobMatcher(pattern: string, ignoreCase: boolean): (text: string) => boolean {
	const source = pattern.replace(
		/\[(!?)([^\]]+)\]|[\\^$.|?*+(){}[\]]/g,
		(token, negated?: string, set?: string) => {
			if (set !== undefined) return `[${negated === "!" ? "^" : ""}${set.replace(/[\\\]^[]/g, "\\$&")}]`;
			if (token === "*") return "[\\s\\S]*";
			return token === "?" ? "[\\s\\S]" : `\\${token}`;
		},
	);
	// Stars in a row mean the same as one, and would make the test slow.
	const compact = source.replace(/(?:\[\\s\\S\]\*)+/g, "[\\s\\S]*");
	const expression = new RegExp(`^${compact}$`, ignoreCase ? "i" : "");
	return (text) => expression.test(text);
}
