/** The code of a system error (`ENOENT`), or the error in its own words when it has none. */
export function codeOf(error: unknown): string {
	return (error as NodeJS.ErrnoException).code ?? String(error);
}

/** What went wrong, in the words of whatever was thrown. */
export function messageOf(error: unknown): string {
	return error instanceof Error ? error.message : String(error);
}
