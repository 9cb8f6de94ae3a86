import { statSync } from "node:fs";
import { findProject, stripControlSequences, writeAtomically } from "@deputize/ground";
import { createTwoFilesPatch } from "diff";
import type { FileChange } from "../../config/write-user-settings.ts";

/** Writes the file as a whole, with what it was before beside it. Returns the name of that copy. */
export function writeInstall({ file, before, after }: FileChange): string | undefined {
	const tree = findProject(process.cwd());
	if (before === undefined) {
		writeAtomically(file, after, { tree });
		return undefined;
	}
	const mode = statSync(file).mode & 0o777;
	const backup = `${file}.before-deputize`;
	writeAtomically(backup, before, { tree, mode });
	writeAtomically(file, after, { tree, mode });
	return backup;
}

const CONTEXT_LINES = 2;

export function renderFileChange({ file, before, after }: FileChange): string {
	const patch = createTwoFilesPatch(file, file, before ?? "", after, undefined, undefined, {
		context: CONTEXT_LINES,
	});
	return stripControlSequences(patch);
}
