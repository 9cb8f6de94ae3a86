import { classifyLine } from "../classify-line.ts";
import { classifyPath } from "../classify-path.ts";
import type { CodeIndex } from "../code-index/code-index.ts";
import { findFilesWith } from "../code-index/find-files-with.ts";
import type { ChangedDefinition } from "./compare-definitions.ts";

const EXPORTED_BY_NAME = /\.(?:go|py)$/;

/** Those that no test names. */
export function findUntested<Definition extends ChangedDefinition>(
	index: CodeIndex,
	definitions: readonly Definition[],
): Definition[] {
	return definitions.filter(
		({ name }) => !findFilesWith(index, name).some(({ path }) => classifyPath(path) === "test"),
	);
}

/** What a file offers to others: by keyword, or where names decide, capital letters in Go and no underscore in Python. */
export function listExported(index: CodeIndex, path: string): ChangedDefinition[] {
	const text = index.files.find((file) => file.path === path)?.text ?? "";
	return text.split("\n").flatMap((line, at) => {
		const { role, name, exported, local } = classifyLine(line);
		if (role !== "definition" || local || name === undefined || /^\s/.test(line)) return [];
		const isOffered = EXPORTED_BY_NAME.test(path)
			? (path.endsWith(".go") ? /^[A-Z]/ : /^[^_]/).test(name)
			: exported;
		return isOffered ? [{ name, path, line: at + 1 }] : [];
	});
}
