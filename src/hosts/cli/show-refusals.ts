import { messageOf } from "@deputize/ground";

type ErrorKind = new (message: string) => Error;

/**
 * Runs a command. An error that says what to do, by default any, becomes a line on stderr and the exit code 2. What
 * redacts the line is loaded only then.
 */
export async function showRefusals(
	command: string,
	run: () => number | Promise<number>,
	kinds: readonly ErrorKind[] = [Error],
): Promise<number> {
	try {
		return await run();
	} catch (error) {
		if (!kinds.some((kind) => error instanceof kind)) throw error;
		(await import("./show-error.ts")).showError(command, messageOf(error));
		return 2;
	}
}
