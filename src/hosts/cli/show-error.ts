import { collectSecrets, sanitizeOutput } from "@deputize/redaction";

/** What went wrong, on stderr. It may quote anything that was typed. */
export function showError(command: string, message: string): void {
	process.stderr.write(`${command}: ${redactLine(message)}\n`);
}

/** One line quoting user input: redacted, no escape sequences. */
export function redactLine(text: string): string {
	return sanitizeOutput(text, { secrets: collectSecrets(process.env) }).replace(/\s+/g, " ");
}
