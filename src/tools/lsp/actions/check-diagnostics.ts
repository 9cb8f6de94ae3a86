import { mapWithLimit } from "@deputize/ground";
import { LspError, unlessLate } from "../lsp-error.ts";
import { LSP_LIMITS } from "../lsp-limits.ts";
import type { SeverityChoice } from "../parse-lsp-request.ts";
import { readDiagnostics } from "../questions/read-diagnostics.ts";
import { type FileProblems, renderProblems, toProblem } from "../rendering/render-problems.ts";
import { languageOf } from "../servers/select-server.ts";
import { toShownPath } from "../workspace/file-uri.ts";
import { type ActionAnswer, type ActionContext, needFile, resolveFile, withFile } from "./action-context.ts";

export async function checkFile(context: ActionContext): Promise<ActionAnswer> {
	const path = needFile(context);
	const found = await checkPath(context, path);
	if (found !== undefined) return renderProblems(context, [found], { unknown: [], checked: 1, total: 1 });
	throw new LspError(
		"LSP_TIMEOUT",
		`The language server did not report on ${toShownPath(context.workspace, path)} in time. This says nothing about the file: it is not known to be free of problems. Ask again.`,
	);
}

/** The files named, or as many of the workspace as the limits allow; what was not reached is counted. */
export async function checkWorkspace(context: ActionContext): Promise<ActionAnswer> {
	context.deadline.extendTo(context.coldTimeoutMs);
	const { files, file } = context.request;
	const named = files ?? (file === undefined ? undefined : [file]);
	const paths =
		named === undefined
			? await listCheckable(context)
			: [...new Set(named.map((name) => resolveFile(context, name)))];
	const chosen = paths.slice(0, LSP_LIMITS.maxSweptFiles);
	const outcomes = await mapWithLimit(chosen, LSP_LIMITS.sweepParallelism, (path) =>
		unlessLate(checkPath(context, path)),
	);
	const known = outcomes.filter((outcome) => outcome !== undefined);
	const unknown = chosen
		.filter((_path, index) => outcomes[index] === undefined)
		.map((path) => toShownPath(context.workspace, path));
	if (known.length === 0 && unknown.length > 0) {
		throw new LspError(
			"LSP_TIMEOUT",
			`No language server reported on ${unknown.slice(0, 5).join(", ")} in time. Nothing is known about these files. Ask again.`,
		);
	}
	known.sort((a, b) => (a.file < b.file ? -1 : 1));
	return renderProblems(context, known, {
		unknown: unknown.sort(),
		checked: known.length,
		total: paths.length,
	});
}

/** Files some installed server answers for. */
async function listCheckable(context: ActionContext): Promise<readonly string[]> {
	const watch = context.pool.watchOf(context.workspace);
	await watch.refresh();
	const { server } = context.request;
	const described = await context.describeServers();
	const usable = described.filter(({ id, installed }) => installed && (server ?? id) === id);
	const definitions = context.definitions.filter((row) => usable.some(({ id }) => id === row.id));
	const files = watch
		.files()
		.filter((file) => definitions.some((row) => languageOf(row, file) !== undefined));
	if (files.length > 0) return [...files].sort();
	throw new LspError(
		"LSP_SERVER_NOT_FOUND",
		"No file in this workspace belongs to an installed language server. Use the servers action to see what is missing.",
	);
}

const RANK: Readonly<Record<SeverityChoice, number>> = { error: 1, warning: 2, info: 3, hint: 4, all: 4 };

/** Undefined when no server reported on the file in time. */
function checkPath(context: ActionContext, path: string): Promise<FileProblems | undefined> {
	return withFile(context, path, async (pooled, document) => {
		const diagnostics = await readDiagnostics(pooled, document, context.deadline);
		if (diagnostics === undefined) return undefined;
		const lines = context.sources.linesOf(path);
		const least = RANK[context.request.severity];
		const problems = diagnostics
			.filter((diagnostic) => (diagnostic.severity ?? 1) <= least)
			.map((diagnostic) => toProblem(diagnostic, lines))
			.sort((a, b) => a.line - b.line || a.column - b.column);
		return { file: toShownPath(context.workspace, path), problems };
	});
}
