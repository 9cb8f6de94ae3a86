import type { NavigatorToolStep } from "./navigator-tool-step.ts";

interface PathList {
	readonly files: readonly string[];
	readonly directories: readonly string[];
	readonly cut: boolean;
}

interface ReadResult {
	readonly path: string;
	readonly lines: readonly { readonly line: number; readonly text: string }[];
}

/** pi ends a shortened result with one bracketed line after an empty one. */
const NOTICE = /\n\n\[([^\n]*)\]\s*$/;
const CUT_NOTICE = /limit reached|results shown/;

/** `find` and `ls` print one path a line; directories end in a slash. */
export function parsePathList(step: NavigatorToolStep): PathList {
	if (step.isError) return { files: [], directories: [], cut: false };
	const { body, notice } = splitNotice(step.text);
	const rows = body
		.split("\n")
		.map((row) => row.trim())
		.filter((row) => row !== "" && !isEmptyAnswer(row));
	const searched = textArgument(step, "path");
	const paths = rows.map((row) => joinPath(searched, row));
	return {
		files: paths.filter((path) => !path.endsWith("/")),
		directories: paths.filter((path) => path.endsWith("/")).map((path) => path.slice(0, -1)),
		cut: CUT_NOTICE.test(notice),
	};
}

export function parseReadText(step: NavigatorToolStep): ReadResult {
	const path = cleanPath(textArgument(step, "path") ?? "");
	if (step.isError || path === "") return { path, lines: [] };
	const offset = step.args["offset"];
	const first = typeof offset === "number" && offset > 0 ? Math.floor(offset) : 1;
	const { body } = splitNotice(step.text);
	return {
		path,
		lines: body.split("\n").map((text, index) => ({ line: first + index, text: text.replace(/\r$/, "") })),
	};
}

function splitNotice(text: string): { body: string; notice: string } {
	const match = NOTICE.exec(text);
	return match === null
		? { body: text, notice: "" }
		: { body: text.slice(0, match.index), notice: match[1] ?? "" };
}

function isEmptyAnswer(row: string): boolean {
	return row === "No files found matching pattern" || row === "(empty directory)";
}

function textArgument(step: NavigatorToolStep, name: string): string | undefined {
	const value = step.args[name];
	return typeof value === "string" && value !== "" ? value : undefined;
}

function joinPath(base: string | undefined, path: string): string {
	const clean = base === undefined ? "" : cleanPath(base);
	return clean === "" || clean === "." ? cleanPath(path) : `${clean.replace(/\/$/, "")}/${cleanPath(path)}`;
}

function cleanPath(path: string): string {
	return path.replace(/^(?:\.\/)+/, "");
}
