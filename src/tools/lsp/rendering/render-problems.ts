import { formatCount, groupBy } from "@deputize/ground";
import type { Diagnostic } from "vscode-languageserver-types";
import type { ActionAnswer, ActionContext } from "../actions/action-context.ts";
import { LSP_LIMITS } from "../lsp-limits.ts";
import { toHumanPosition } from "../workspace/text-positions.ts";
import { cutPage, describeRest } from "./render-places.ts";

type Severity = "error" | "warning" | "info" | "hint";

interface Problem {
	readonly severity: Severity;
	readonly line: number;
	readonly column: number;
	readonly message: string;
	readonly code?: string;
	readonly source: string;
}

export interface FileProblems {
	readonly file: string;
	readonly problems: readonly Problem[];
}

const SEVERITY_NAMES: readonly Severity[] = ["error", "warning", "info", "hint"];
const MAX_MESSAGE_CHARS = 1_000;

export function toProblem(diagnostic: Diagnostic, lines: readonly string[] | undefined): Problem {
	const severity = SEVERITY_NAMES[(diagnostic.severity ?? 1) - 1] ?? "error";
	const code = diagnostic.code;
	return {
		severity,
		...toHumanPosition(diagnostic.range.start, lines),
		message: problemText(diagnostic).slice(0, MAX_MESSAGE_CHARS),
		...(code === undefined ? {} : { code: `${diagnostic.source ?? ""} ${code}`.trim() }),
		source: (lines?.[diagnostic.range.start.line] ?? "").trim().slice(0, LSP_LIMITS.maxSourceLineChars),
	};
}

export function problemText({ message }: Diagnostic): string {
	return typeof message === "string" ? message : message.value;
}

interface Coverage {
	/** Files no server reported on in time. */
	readonly unknown: readonly string[];
	readonly checked: number;
	readonly total: number;
}

/** Paged over all problems; the counts are always of everything that was found. */
export function renderProblems(
	context: ActionContext,
	files: readonly FileProblems[],
	coverage: Coverage,
): ActionAnswer {
	const { action, severity } = context.request;
	const flat = files.flatMap(({ file, problems }) => problems.map((problem) => ({ file, ...problem })));
	const page = cutPage(flat, context.request);
	const { shown, total, ...place } = page;
	const only = files.length === 1 ? `: ${files[0]?.file}` : "";
	const text = [
		`${action}: ${countBySeverity(flat, severity)} in ${formatCount(coverage.checked, "checked file")}${only}`,
		...renderGroups(shown),
		...describeRest(page),
		...describeGaps(coverage),
	].join("\n");
	return {
		text,
		details: {
			action,
			total,
			checked: coverage.checked,
			files: coverage.total,
			unknown: coverage.unknown,
			complete: coverage.unknown.length === 0 && coverage.checked === coverage.total,
			...place,
			problems: shown,
		},
	};
}

function renderGroups(shown: readonly (Problem & { readonly file: string })[]): readonly string[] {
	return [...groupBy(shown, ({ file }) => file)].flatMap(([file, problems]) => [
		`${file} (${problems.length})`,
		...problems.flatMap(renderProblem),
	]);
}

function renderProblem({ line, column, severity, code, message, source }: Problem): readonly string[] {
	const label = code === undefined ? severity : `${severity} [${code}]`;
	const heading = `  ${line}:${column}  ${label} ${message.replaceAll("\n", "\n      | ")}`;
	return source === "" ? [heading] : [heading, `      | ${source}`];
}

export function countBySeverity(
	problems: readonly { readonly severity: Severity }[],
	least: string = "all",
): string {
	if (problems.length === 0)
		return least === "all" ? "no problems" : `no problems of severity ${least} or worse`;
	return SEVERITY_NAMES.map(
		(name) => [name, problems.filter(({ severity }) => severity === name).length] as const,
	)
		.filter(([, count]) => count > 0)
		.map(([name, count]) => `${count} ${count === 1 ? name : plural(name)}`)
		.join(", ");
}

function plural(name: Severity): string {
	return name === "info" ? "infos" : `${name}s`;
}

function describeGaps({ unknown, checked, total }: Coverage): readonly string[] {
	const unreached = total - checked - unknown.length;
	return [
		...(unknown.length === 0
			? []
			: [
					`No report in time, so nothing is known about: ${unknown.slice(0, 20).join(", ")}${unknown.length > 20 ? ", …" : ""}`,
				]),
		...(unreached <= 0 ? [] : [`${unreached} more files were not checked; name them in files.`]),
	];
}
