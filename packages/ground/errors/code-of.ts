/** The code of a system error (`ENOENT`), or the error in its own words when it has none. */
export function codeOf(error: unknown): string {
	return (error as NodeJS.ErrnoException).code ?? String(error);
}
