import { readFile } from "node:fs/promises";
import { canonicalPath, isInside, isObject } from "@deputize/ground";
import type { Range } from "vscode-languageserver-types";
import { LspError } from "../lsp-error.ts";
import { parseRange } from "../transport/parse-protocol.ts";
import { toFilePath } from "./file-uri.ts";
import { createOffsetOf } from "./text-positions.ts";
import type { FileEdit } from "./write-edits.ts";

interface TextChange {
	readonly range: Range;
	readonly newText: string;
}

export interface PlannedFile extends FileEdit {
	readonly changes: readonly TextChange[];
}

/** A server's edit as whole new texts. Nothing is written here. */
export interface EditPlan {
	readonly files: readonly PlannedFile[];
	/** Why the plan may be shown but not applied. */
	readonly obstacles: readonly string[];
}

export async function planWorkspaceEdit(edit: unknown, workspace: string): Promise<EditPlan> {
	const byPath = new Map<string, TextChange[]>();
	const obstacles: string[] = [];
	for (const { uri, changes } of listTextEdits(edit, obstacles)) {
		const path = toFilePath(uri);
		if (path === undefined) obstacles.push(`${uri} is not a file`);
		else byPath.set(canonicalPath(path), [...(byPath.get(canonicalPath(path)) ?? []), ...changes]);
	}
	const files: PlannedFile[] = [];
	for (const [file, changes] of [...byPath].sort(([a], [b]) => (a < b ? -1 : 1))) {
		if (!isInside(workspace, file)) obstacles.push(`${file} is outside the workspace`);
		const oldText = await readFile(file, "utf8").catch(() => undefined);
		if (oldText === undefined) {
			obstacles.push(`${file} cannot be read`);
			continue;
		}
		const newText = applyTextEdits(file, oldText, changes);
		if (newText !== oldText) files.push({ file, oldText, newText, changes });
	}
	return { files, obstacles };
}

interface UriChanges {
	readonly uri: string;
	readonly changes: readonly TextChange[];
}

function listTextEdits(edit: unknown, obstacles: string[]): readonly UriChanges[] {
	if (!isObject(edit)) return [];
	if (Array.isArray(edit["documentChanges"])) {
		return edit["documentChanges"].filter(isObject).flatMap((change) => {
			if (typeof change["kind"] === "string") {
				obstacles.push(`it would ${change["kind"]} the file ${String(change["uri"] ?? change["oldUri"])}`);
				return [];
			}
			const document = change["textDocument"];
			const uri = isObject(document) ? document["uri"] : undefined;
			return typeof uri === "string" ? [{ uri, changes: parseChanges(change["edits"]) }] : [];
		});
	}
	const changes = isObject(edit["changes"]) ? edit["changes"] : {};
	return Object.entries(changes).map(([uri, list]) => ({ uri, changes: parseChanges(list) }));
}

function parseChanges(list: unknown): readonly TextChange[] {
	if (!Array.isArray(list)) return [];
	return list.filter(isObject).flatMap((entry) => {
		const range = parseRange(entry["range"]);
		const newText = entry["newText"];
		return range !== undefined && typeof newText === "string" ? [{ range, newText }] : [];
	});
}

function applyTextEdits(file: string, text: string, changes: readonly TextChange[]): string {
	const offsetOf = createOffsetOf(text);
	const spans = changes
		.map(({ range, newText }, index) => ({
			start: offsetOf(range.start),
			end: offsetOf(range.end),
			newText,
			index,
		}))
		.sort((a, b) => a.start - b.start || a.end - b.end || a.index - b.index);
	let result = "";
	let position = 0;
	for (const { start, end, newText } of spans) {
		if (start < position) {
			throw new LspError(
				"LSP_SERVER_FAILED",
				`The server's edits of ${file} overlap; they cannot be applied.`,
			);
		}
		result += text.slice(position, start) + newText;
		position = end;
	}
	return result + text.slice(position);
}
