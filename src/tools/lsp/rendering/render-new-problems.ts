import { LSP_LIMITS } from "../lsp-limits.ts";
import { countBySeverity, type FileProblems } from "./render-problems.ts";

/** Says what is there and leaves what to do about it to the agent. */
export function renderNewProblems(files: readonly FileProblems[]) {
	const all = files.flatMap(({ problems }) => problems);
	const shown = files.flatMap(({ file, problems }) => [
		file,
		...problems.map(({ line, column, severity, message, code }) => {
			const label = code === undefined ? severity : `${severity} [${code}]`;
			return `  ${line}:${column}  ${label} ${message}`;
		}),
	]);
	const lines = shown.slice(0, LSP_LIMITS.maxPageItems);
	const rest = shown.length > lines.length ? [`(${shown.length - lines.length} more lines)`] : [];
	return {
		text: [`New since these edits: ${countBySeverity(all)}`, ...lines, ...rest].join("\n"),
		problems: all.length,
		files: files.map(({ file }) => file),
	};
}

export type EditReport = ReturnType<typeof renderNewProblems>;
