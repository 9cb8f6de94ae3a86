import { collectSecrets } from "../../text/collect-secrets.ts";
import { sanitizeOutput } from "../../text/sanitize-output.ts";

/** One line quoting user input: redacted, no escape sequences. */
export function redactLine(text: string): string {
	return sanitizeOutput(text, { secrets: collectSecrets(process.env) }).replace(/\s+/g, " ");
}
