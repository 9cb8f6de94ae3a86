import { collectSecrets } from "../../text/collect-secrets.ts";
import { sanitizeOutput } from "../../text/sanitize-output.ts";

/** Words of the caller in a line of ours: no secrets, nothing a terminal would obey, and still one line. */
export function redactLine(text: string): string {
	return sanitizeOutput(text, { secrets: collectSecrets(process.env) }).replace(/\s+/g, " ");
}
