import { createTwoFilesPatch } from "diff";
import type { FileChange } from "../../config/write-user-setting.ts";

const CONTEXT_LINES = 2;

export function renderFileChange({ file, before, after }: FileChange): string {
	return createTwoFilesPatch(file, file, before ?? "", after, undefined, undefined, {
		context: CONTEXT_LINES,
	});
}
