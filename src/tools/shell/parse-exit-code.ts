/**
 * How a command ended, from what its tool said: for programs that hand on nothing but the text. Null when it was stopped,
 * undefined when it was not run.
 */
export function parseExitCode(text: string, isError: boolean): number | null | undefined {
	if (!isError) return 0;
	// What the command printed comes before our own last line.
	const code = /\nCommand exited with code (\d{1,3})\s*$/.exec(text)?.[1];
	if (code !== undefined) return Number(code);
	return /^COMMAND_(?:TIMEOUT|MEMORY|OUTPUT|STOPPED):/.test(text) ? null : undefined;
}
