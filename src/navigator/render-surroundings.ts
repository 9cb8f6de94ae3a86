import { classifyPath } from "./classify-path.ts";
import type { NavigatorToolStep } from "./navigator-input.ts";
import { parseGrepText, parsePathList } from "./parse-tool-text.ts";

const MAX_SHOWN = 8;

/** Tests that belong to the best files, and the files that import them. */
export function renderSurroundings(steps: readonly NavigatorToolStep[], paths: readonly string[]): string {
	const bases = paths.slice(0, 3).map(baseNameOf);
	const known = new Set(paths);
	const tests = new Set<string>();
	const users = new Map<string, number>();
	for (const step of steps) {
		if (step.tool === "find") {
			for (const path of parsePathList(step).files) if (isTestOf(path, bases)) tests.add(path);
		}
		if (step.tool !== "grep") continue;
		for (const { path, line, text } of parseGrepText(step).hits) {
			if (!bases.some((base) => importsModule(text, base)) || known.has(path)) continue;
			if (classifyPath(path) === "test") tests.add(path);
			else if (!users.has(path)) users.set(path, line);
		}
	}
	const userRows = [...users]
		.sort(([left], [right]) => (left < right ? -1 : 1))
		.map(([path, line]) => `\`${path}:${line}\``);
	return [
		renderRow(
			"Existing tests",
			[...tests].sort().map((path) => `\`${path}\``),
		),
		renderRow("Imported by", userRows),
	]
		.filter((row) => row !== "")
		.join("\n");
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
