import { randomUUID } from "node:crypto";
import { chmod, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { LspError } from "../lsp-error.ts";

export interface FileEdit {
	readonly file: string;
	/** What the edit was computed for; a file that reads differently by now is not touched. */
	readonly oldText: string;
	readonly newText: string;
}

/**
 * All files or none. Every new text is first written next to its file; only when all are there are they moved
 * into place, and a failure half-way puts the old texts back.
 */
export async function writeEditsAllOrNone(edits: readonly FileEdit[]): Promise<void> {
	const staged: { readonly edit: FileEdit; readonly temporary: string }[] = [];
	const moved: FileEdit[] = [];
	try {
		for (const edit of edits) {
			await checkUnchanged(edit);
			const temporary = join(dirname(edit.file), `.deputize-${randomUUID()}.tmp`);
			staged.push({ edit, temporary });
			await writeFile(temporary, edit.newText, { flag: "wx" });
			await chmod(temporary, (await stat(edit.file)).mode);
		}
		for (const { edit, temporary } of staged) {
			await rename(temporary, edit.file);
			moved.push(edit);
		}
	} catch (error) {
		for (const edit of moved) await writeFile(edit.file, edit.oldText);
		throw error;
	} finally {
		for (const { temporary } of staged) await rm(temporary, { force: true });
	}
}

async function checkUnchanged(edit: FileEdit): Promise<void> {
	const current = await readFile(edit.file, "utf8");
	if (current === edit.oldText) return;
	throw new LspError(
		"INVALID_INPUT",
		`${edit.file} changed while the edit was made. Nothing was written; ask again.`,
	);
}
