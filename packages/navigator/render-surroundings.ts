import { escapePattern } from "@deputize/ground";
import { classifyPath } from "./classify-path.ts";
import type { CodeIndex } from "./code-index/code-index.ts";
import { findFilesWith } from "./code-index/find-files-with.ts";
import type { Place } from "./quote-line.ts";
import { joinSections, renderRow, renderShortList } from "./render-row.ts";
import { resolvesTo } from "./syntax/resolve-import.ts";

const MAX_SHOWN = 5;
const MAX_NAMES = 3;

/** Tests that belong to the best files, and the code that imports them. `names` are those that the task is about. */
export function renderSurroundings(
	index: CodeIndex,
	paths: readonly string[],
	names: readonly string[],
): string {
	const best = paths.filter((path) => classifyPath(path) === "source").slice(0, 3);
	const importers = findImporters(index, best);
	const isTest = ({ path }: Pick<Place, "path">): boolean => classifyPath(path) === "test";
	const bases = best.map(baseNameOf);
	const called = index.files.filter(({ path }) => isTestOf(path, bases)).map(({ path }) => path);
	const wanted = names.slice(0, MAX_NAMES);
	const unread = wanted.flatMap((name) => index.unread?.get(name) ?? []).map((path) => ({ path }));
	const naming = [...wanted.flatMap((name) => findNaming(index, name)), ...unread].filter(isTest);
	const tests = [
		...new Set([...called, ...[...importers.filter(isTest), ...naming].map(({ path }) => path)]),
	];
	const users = importers.filter((importer) => !isTest(importer));
	const looked = ["name", "import", ...wanted.map(toCode)];
	return joinSections([
		renderRow("Tests", tests.map(toCode), MAX_SHOWN) ||
			`**Tests:** none found by ${renderShortList(looked, looked.length)}`,
		renderRow(
			"Imported by",
			users.map(({ path, line }) => toCode(`${path}:${line}`)),
			MAX_SHOWN,
		),
	]);
}

/** Files that have a name by itself, not as a part of another one. */
export function findNaming(index: CodeIndex, name: string): { readonly path: string }[] {
	const alone = new RegExp(`(?<![\\p{L}\\p{N}_$])${escapePattern(name)}(?![\\p{L}\\p{N}_$])`, "u");
	return findFilesWith(index, name).filter(({ text }) => alone.test(text));
}

/** One import statement a file, in code alone: a document that mentions a file imports nothing. */
function findImporters(index: CodeIndex, paths: readonly string[]): Place[] {
	const bases = paths.map(importedName).filter((base) => base.length > 1);
	const naming = [...new Set(bases.flatMap((base) => findFilesWith(index, base)))].filter(({ path }) => {
		const kind = classifyPath(path);
		return (kind === "source" || kind === "test" || kind === "example") && !paths.includes(path);
	});
	index.syntax?.need(naming);
	return naming.flatMap((file): Place[] => {
		const facts = index.syntax?.factsOf(file);
		const found = facts?.modules.find(({ name, start }) => {
			const statement = file.text.slice(start, start + MAX_STATEMENT_CHARS).split("\n\n", 1)[0] ?? "";
			const meant = paths.filter((path) => resolvesTo(file.path, name, path, statement));
			return meant.some((path) => isOnlyOne(index, file.path, path, name, statement));
		});
		return found === undefined ? [] : [{ path: file.path, line: found.line }];
	});
}

const MAX_STATEMENT_CHARS = 600;

/** A search path may lead to another file of that name: then nobody knows which one is meant, unless one is beside the importer. */
function isOnlyOne(
	{ files }: CodeIndex,
	importer: string,
	path: string,
	written: string,
	statement: string,
): boolean {
	const folder = (of: string): string => of.slice(0, of.lastIndexOf("/") + 1);
	const name = path.slice(folder(path).length);
	const others = files.filter(
		(file) =>
			file.path !== path &&
			folder(file.path) !== folder(path) &&
			file.path.endsWith(name) &&
			resolvesTo(importer, written, file.path, statement),
	);
	return others.length === 0 || folder(path) === folder(importer);
}

/** What an import of the file has to contain: Go imports directories. */
function importedName(path: string): string {
	return path.endsWith(".go") ? (path.split("/").at(-2) ?? "") : baseNameOf(path);
}

export function baseNameOf(path: string): string {
	const name = (path.split("/").at(-1) ?? "").replace(/\.[^.]*$/, "").replace(/\.(d|test|spec)$/, "");
	return /^(index|__init__|mod|main)$/.test(name) ? (path.split("/").at(-2) ?? name) : name;
}

function isTestOf(path: string, bases: readonly string[]): boolean {
	if (classifyPath(path) !== "test") return false;
	const base = baseNameOf(path)
		.replace(/^test[_-]|[_-](?:unit)?test$/i, "")
		.replace(/(?:^Test(?=[A-Z])|(?<=[a-z])Tests?$)/, "");
	return bases.some(
		(wanted) => base === wanted || base.startsWith(`${wanted}-`) || base.startsWith(`${wanted}.`),
	);
}

const toCode = (text: string): string => `\`${text}\``;
