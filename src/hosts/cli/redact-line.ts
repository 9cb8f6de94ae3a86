import { collectSecrets, sanitizeOutput } from "@deputize/redaction";

/** One line quoting user input: redacted, no escape sequences. */
export function redactLine(text: string): string {
	return sanitizeOutput(text, { secrets: collectSecrets(process.env) }).replace(/\s+/g, " ");
}
