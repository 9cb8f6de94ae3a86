import { classifyLine, definitionsOn } from "../classify-line.ts";
import { classifyPath } from "../classify-path.ts";
import type { CodeIndex } from "../code-index/code-index.ts";
import { findFilesWith } from "../code-index/find-files-with.ts";
import { findNaming } from "../render-surroundings.ts";
import type { ChangedDefinition } from "./compare-definitions.ts";

const EXPORTED_BY_NAME = /\.(?:go|py)$/;
/** Languages whose tests may be in the file itself. */
const TESTS_INSIDE = /#\[(?:cfg\(test\)|test)\]|\bunittest\b|__main__|doctest|TEST_CASE|import\.meta\.vitest/;

/** Those that no test names. */
export function findUntested<Definition extends ChangedDefinition>(
	index: CodeIndex,
	definitions: readonly Definition[],
): Definition[] {
	return definitions.filter(
		({ name }) =>
			!findFilesWith(index, name).some(({ path, text }) => isLikeTest(path) || TESTS_INSIDE.test(text)),
	);
}

export function isNamedInTests(index: CodeIndex, name: string): boolean {
	return findNaming(index, name).some(({ path }) => classifyPath(path) === "test");
}

/** Anything that may be a test: that none names it is said of none of these. */
function isLikeTest(path: string): boolean {
	const kind = classifyPath(path);
	return kind === "test" || kind === "fixture" || /test|spec/i.test(path);
}

/** What a file offers to others: by keyword, or where names decide, capital letters in Go and no underscore in Python. */
export function listExported(index: CodeIndex, path: string): ChangedDefinition[] {
	const file = index.files.find((candidate) => candidate.path === path);
	if (file !== undefined) index.syntax?.need([file]);
	const facts = file && index.syntax?.factsOf(file);
	if (file === undefined || facts === undefined) return [];
	return file.text.split("\n").flatMap((text, at) => {
		if (/^\s/.test(text)) return [];
		const line = at + 1;
		const { exported } = classifyLine(facts, line, text);
		return definitionsOn(facts, line).flatMap(({ name }) => {
			const isOffered = EXPORTED_BY_NAME.test(path)
				? (path.endsWith(".go") ? /^[A-Z]/ : /^[^_]/).test(name)
				: exported;
			return isOffered ? [{ name, path, line }] : [];
		});
	});
}
