import { canonicalPath, type Deadline, isInside } from "@deputize/ground";
import type { Diagnostic } from "vscode-languageserver-types";
import type { ToolContext } from "../../../contract/tool.ts";
import type { LspEngine } from "../lsp-engine.ts";
import { LspError } from "../lsp-error.ts";
import { parseLspRequest } from "../parse-lsp-request.ts";
import { readDiagnostics } from "../questions/read-diagnostics.ts";
import { type FileProblems, problemText, toProblem } from "../rendering/render-problems.ts";
import type { PooledServer } from "../servers/server-slot.ts";
import { toShownPath } from "../workspace/file-uri.ts";
import { splitAtLineBreaks } from "../workspace/text-positions.ts";
import { type ActionContext, withFile } from "./action-context.ts";

interface EditedFile {
	readonly path: string;
	/** Before the first edit; `undefined` for a file that did not exist. */
	readonly before: string | undefined;
}

/**
 * Problems that were not there before the edits. The old texts are shown to the server without being written,
 * so the comparison costs nothing before an edit and works for files nobody looked at earlier. A file no server
 * knows or answers for in time is left out: no report is not a clean report, so it is not mentioned.
 */
export async function findNewProblems(
	engine: LspEngine,
	files: readonly EditedFile[],
	tool: ToolContext,
): Promise<readonly FileProblems[]> {
	return engine.withContext(parseLspRequest({ action: "diagnostics" }), tool, async (context) => {
		context.deadline.extendTo(context.coldTimeoutMs);
		const checked = await checkAllNow(context, files);
		const found: FileProblems[] = [];
		for (const pooled of new Set(checked.map((file) => file.pooled))) {
			const own = checked.filter((file) => file.pooled === pooled);
			if (own.every((file) => file.diagnostics.length === 0)) continue;
			const old = await readOldTexts(pooled, own, context.deadline).catch(ignoreUnknown);
			if (old !== undefined)
				found.push(...own.flatMap((file) => compare(context.workspace, file, old.get(file.path))));
		}
		return found;
	});
}

interface CheckedFile extends EditedFile {
	readonly pooled: PooledServer;
	readonly text: string;
	readonly diagnostics: readonly Diagnostic[];
}

async function checkAllNow(
	context: ActionContext,
	files: readonly EditedFile[],
): Promise<readonly CheckedFile[]> {
	const checked: CheckedFile[] = [];
	for (const file of files) {
		const path = canonicalPath(file.path);
		if (!isInside(context.workspace, path)) continue;
		const now = await checkNow(context, { ...file, path }).catch(ignoreUnknown);
		if (now !== undefined) checked.push(now);
	}
	return checked;
}

function ignoreUnknown(error: unknown): undefined {
	if (error instanceof LspError && error.code !== "LSP_CANCELLED") return undefined;
	throw error;
}

function checkNow(context: ActionContext, file: EditedFile): Promise<CheckedFile | undefined> {
	return withFile(context, file.path, async (pooled, document) => {
		const diagnostics = await readDiagnostics(pooled, document, context.deadline);
		if (diagnostics === undefined) return undefined;
		return { ...file, pooled, text: document.text, diagnostics: diagnostics.filter(isSerious) };
	});
}

function compare(
	workspace: string,
	file: CheckedFile,
	old: readonly Diagnostic[] | undefined,
): readonly FileProblems[] {
	if (old === undefined) return [];
	const lines = splitAtLineBreaks(file.text);
	const fresh = subtract(file.diagnostics, lines, old, splitAtLineBreaks(file.before ?? ""));
	if (fresh.length === 0) return [];
	return [
		{
			file: toShownPath(workspace, file.path),
			problems: fresh.map((diagnostic) => toProblem(diagnostic, lines)),
		},
	];
}

function isSerious(diagnostic: Diagnostic): boolean {
	return (diagnostic.severity ?? 1) <= 2;
}

/**
 * The problems of all files as they were, together: an error in one file may come from the edit of another.
 * Alone with the server, because another request must not see the old texts.
 */
function readOldTexts(
	pooled: PooledServer,
	files: readonly CheckedFile[],
	deadline: Deadline,
): Promise<ReadonlyMap<string, readonly Diagnostic[] | undefined>> {
	const { documents, gate } = pooled.server;
	return gate.exclusive(async () => {
		const old = new Map<string, readonly Diagnostic[] | undefined>();
		try {
			const overlays = files.map(({ path, before }) => documents.overlay(path, before ?? ""));
			for (const [index, document] of overlays.entries()) {
				const isNew = files[index]?.before === undefined;
				old.set(document.path, isNew ? [] : await readDiagnostics(pooled, document, deadline));
			}
			return old;
		} finally {
			for (const { path } of files) await documents.open(path);
		}
	});
}

/** Lines move with every edit, so a problem is known by its message and the text of its line. */
function subtract(
	now: readonly Diagnostic[],
	lines: readonly string[],
	old: readonly Diagnostic[],
	oldLines: readonly string[],
): readonly Diagnostic[] {
	const counts = new Map<string, number>();
	for (const diagnostic of old) {
		const key = toProblemKey(diagnostic, oldLines);
		counts.set(key, (counts.get(key) ?? 0) + 1);
	}
	return now.filter((diagnostic) => {
		const key = toProblemKey(diagnostic, lines);
		const left = counts.get(key) ?? 0;
		counts.set(key, left - 1);
		return left <= 0;
	});
}

function toProblemKey(diagnostic: Diagnostic, lines: readonly string[]): string {
	const line = (lines[diagnostic.range.start.line] ?? "").trim();
	return [diagnostic.severity ?? 1, diagnostic.code ?? "", problemText(diagnostic), line].join("\0");
}
