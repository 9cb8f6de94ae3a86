import { classifyLine } from "./classify-line.ts";
import { classifyPath } from "./classify-path.ts";
import type { CodeIndex } from "./code-index/code-index.ts";
import { findFilesWith } from "./code-index/find-files-with.ts";
import type { Place } from "./quote-line.ts";
import { joinSections, renderRow } from "./render-row.ts";

const MAX_SHOWN = 5;

/** Tests that belong to the best files, and the code that imports them. */
export function renderSurroundings(index: CodeIndex, paths: readonly string[]): string {
	const best = paths.filter((path) => classifyPath(path) === "source").slice(0, 3);
	const importers = findImporters(index, best);
	const isTest = ({ path }: Place): boolean => classifyPath(path) === "test";
	const bases = best.map(baseNameOf);
	const named = index.files.filter(({ path }) => isTestOf(path, bases)).map(({ path }) => path);
	const tests = [...new Set([...named, ...importers.filter(isTest).map(({ path }) => path)])];
	const users = importers.filter((importer) => !isTest(importer));
	return joinSections([
		renderRow("Tests", tests.map(toCode), MAX_SHOWN) || "**Tests:** none found by name or import",
		renderRow(
			"Imported by",
			users.map(({ path, line }) => toCode(`${path}:${line}`)),
			MAX_SHOWN,
		),
	]);
}

/** One import statement a file, in code alone: a document that mentions a file imports nothing. */
function findImporters(index: CodeIndex, paths: readonly string[]): Place[] {
	const targets = paths
		.map((path) => ({ path, base: baseNameOf(path) }))
		.filter(({ base }) => base.length > 1);
	const naming = new Set(targets.flatMap(({ base }) => findFilesWith(index, base)));
	return [...naming].flatMap(({ path, text }): Place[] => {
		const kind = classifyPath(path);
		if ((kind !== "source" && kind !== "test" && kind !== "example") || paths.includes(path)) return [];
		const lines = text.split("\n");
		const at = lines.findIndex((line) => targets.some(({ base }) => importsModule(line, base)));
		return at === -1 ? [] : [{ path, line: at + 1 }];
	});
}

export function baseNameOf(path: string): string {
	const name = (path.split("/").at(-1) ?? "").replace(/\.[^.]*$/, "").replace(/\.(d|test|spec)$/, "");
	return /^(index|__init__|mod|main)$/.test(name) ? (path.split("/").at(-2) ?? name) : name;
}

function isTestOf(path: string, bases: readonly string[]): boolean {
	if (classifyPath(path) !== "test") return false;
	const base = baseNameOf(path).replace(/^test[_-]|[_-]test$/, "");
	return bases.some(
		(wanted) => base === wanted || base.startsWith(`${wanted}-`) || base.startsWith(`${wanted}.`),
	);
}

/** A line that imports a module whose path ends in this name. */
function importsModule(line: string, base: string): boolean {
	if (!line.includes(base)) return false;
	const isImport =
		classifyLine(line).role === "import" || /\b(?:require|import)\(\s*["'`]|^\s*\}?\s*from\s+["']/.test(line);
	if (!isImport) return false;
	const module =
		/["'`]([^"'`]+)["'`]/.exec(line)?.[1] ?? /^\s*(?:from|import|use)\s+([\w.:]+)/.exec(line)?.[1] ?? "";
	const last = module.split(/\/|::/).at(-1) ?? "";
	return last.replace(/\.[cm]?[jt]sx?$/, "") === base || module.split(/[./]|::/).at(-1) === base;
}

const toCode = (text: string): string => `\`${text}\``;
