import { classifyPath } from "./classify-path.ts";
import type { NavigatorToolStep } from "./navigator-input.ts";
import { parseGrepText, parsePathList } from "./parse-tool-text.ts";

const MAX_SHOWN = 8;

/** Tests that belong to the best files, and the files that import them. */
export function renderSurroundings(steps: readonly NavigatorToolStep[], paths: readonly string[]): string {
	const bases = paths.slice(0, 3).map(baseNameOf);
	const importers = importersOf(steps, bases, new Set(paths));
	const isTest = ({ path }: Importer): boolean => classifyPath(path) === "test";
	const listed = steps.filter(({ tool }) => tool === "find").flatMap((step) => parsePathList(step).files);
	const tests = new Set([
		...listed.filter((path) => isTestOf(path, bases)),
		...importers.filter(isTest).map(({ path }) => path),
	]);
	const users = importers
		.filter((importer) => !isTest(importer))
		.map(({ path, line }) => `\`${path}:${line}\``);
	return [
		renderRow(
			"Existing tests",
			[...tests].sort().map((path) => `\`${path}\``),
		),
		renderRow("Imported by", users),
	]
		.filter((row) => row !== "")
		.join("\n");
}

interface Importer {
	readonly path: string;
	readonly line: number;
}

/** One place a file, the best files themselves left out. */
function importersOf(
	steps: readonly NavigatorToolStep[],
	bases: readonly string[],
	known: ReadonlySet<string>,
): Importer[] {
	const found = new Map<string, Importer>();
	for (const { path, line, text } of steps
		.filter(({ tool }) => tool === "grep")
		.flatMap((step) => parseGrepText(step).hits)) {
		if (known.has(path) || found.has(path) || !bases.some((base) => importsModule(text, base))) continue;
		found.set(path, { path, line });
	}
	return [...found.values()].sort((a, b) => (a.path < b.path ? -1 : 1));
}

export function baseNameOf(path: string): string {
	return (path.split("/").at(-1) ?? "").replace(/\.[^.]*$/, "").replace(/\.(d|test|spec)$/, "");
}

function isTestOf(path: string, bases: readonly string[]): boolean {
	return classifyPath(path) === "test" && bases.includes(baseNameOf(path).replace(/^test_|_test$/, ""));
}

function importsModule(text: string, base: string): boolean {
	return /\b(import|from|require|include|use|export)\b/.test(text) && text.includes(base);
}

function renderRow(title: string, items: readonly string[]): string {
	if (items.length === 0)
		return title === "Existing tests" ? `**${title}:** none found by name or import` : "";
	const more = items.length > MAX_SHOWN ? ` and ${items.length - MAX_SHOWN} more` : "";
	return `**${title}:** ${items.slice(0, MAX_SHOWN).join(", ")}${more}`;
}
