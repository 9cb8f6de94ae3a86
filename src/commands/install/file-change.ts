import { createTwoFilesPatch } from "diff";

/** A file of the user's, before and after what a command proposes. */
export interface FileChange {
	readonly file: string;
	/** Undefined when there is no such file yet. */
	readonly before?: string;
	readonly after: string;
}

const CONTEXT_LINES = 2;

export function renderFileChange({ file, before, after }: FileChange): string {
	return createTwoFilesPatch(file, file, before ?? "", after, undefined, undefined, {
		context: CONTEXT_LINES,
	});
}
