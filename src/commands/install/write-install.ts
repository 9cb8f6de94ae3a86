import { chmodSync, statSync } from "node:fs";
import { writeAtomically } from "@deputize/ground";
import { createTwoFilesPatch } from "diff";
import type { FileChange } from "../../config/write-user-setting.ts";

/** Writes the file as a whole, with what it was before beside it. Returns the name of that copy. */
export function writeInstall({ file, before, after }: FileChange): string | undefined {
	if (before === undefined) {
		writeAtomically(file, after);
		return undefined;
	}
	const { mode } = statSync(file);
	const backup = `${file}.before-deputize`;
	writeAtomically(backup, before);
	writeAtomically(file, after);
	for (const written of [backup, file]) chmodSync(written, mode & 0o777);
	return backup;
}

const CONTEXT_LINES = 2;

export function renderFileChange({ file, before, after }: FileChange): string {
	return createTwoFilesPatch(file, file, before ?? "", after, undefined, undefined, {
		context: CONTEXT_LINES,
	});
}
