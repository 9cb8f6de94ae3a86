import type { CodeIndex } from "./code-index/code-index.ts";
import type { SearchTerm } from "./search-terms.ts";
import { toQualifiedTerms } from "./take-names.ts";

/** `res.json` is a file in one tree and a method in another: it is a name wherever no file is called so. */
export function settleNames(terms: readonly SearchTerm[], { files }: CodeIndex): SearchTerm[] {
	return terms.flatMap((term) => {
		if (term.kind !== "path" || !/^[A-Za-z_$][\w$]*(?:\.[A-Za-z_$][\w$]*)+$/.test(term.text)) return [term];
		const isFile = files.some(({ path }) => `/${path}`.toLowerCase().endsWith(`/${term.text.toLowerCase()}`));
		const names = isFile ? [] : toQualifiedTerms(term.text);
		return names.length > 0 ? names : [term];
	});
}
