// What the index.ts of a workspace passes on, and from where.
import { dirname, join } from "node:path";

const NAMED_IMPORT = /\b(?:import|export)\s*(?:type\s*)?\{([^}]*)\}\s*from\s*"([^"]+)";?/g;

/** Each import or export of names in a text: `{ whole, names, from }`. */
export function* listNamedImports(text) {
	for (const [whole, names, from] of text.matchAll(NAMED_IMPORT))
		yield { whole, from, names: names.split(",").map((name) => name.trim()) };
}

/** The file that an index takes a name from; `name` may be spelled as in an import. */
export function findSource({ path, text }, name) {
	const wanted = toImportedName(name);
	for (const { names, from } of listNamedImports(text))
		if (names.some((each) => toImportedName(each) === wanted)) return join(dirname(path), from);
	return undefined;
}

const toImportedName = (name) => name.replace(/^type\s+/, "").split(/\s+as\s+/)[0];
