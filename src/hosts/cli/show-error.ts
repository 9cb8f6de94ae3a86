import { redactLine } from "./redact-line.ts";

/** What went wrong, on stderr. It may quote anything that was typed. */
export function showError(command: string, message: string): void {
	process.stderr.write(`${command}: ${redactLine(message)}\n`);
}
