import { countLines } from "@deputize/ground";
import type { RedactedText } from "@deputize/redaction";
import { LIMITS } from "../contract/limits.ts";
import type { BoundedText } from "../contract/result.ts";

export interface TruncatedOutput {
	readonly text: BoundedText;
	readonly truncated: boolean;
}

/**
 * Cuts text to what a model should receive, keeping its head, and says in the text what was kept.
 * Takes redacted text only: cutting first could split a secret so that no rule finds it.
 */
export function truncateOutput(
	text: RedactedText,
	limits: { readonly maxBytes: number; readonly maxLines: number } = {
		maxBytes: LIMITS.maxResultBytes,
		maxLines: LIMITS.maxResultLines,
	},
): TruncatedOutput {
	const totalBytes = Buffer.byteLength(text);
	const totalLines = countLines(text);
	if (totalBytes <= limits.maxBytes && totalLines <= limits.maxLines) {
		return { text: text as BoundedText, truncated: false };
	}
	const kept = cutBytes(cutLines(text, limits.maxLines), limits.maxBytes);
	const notice = `[Output truncated: the first ${countLines(kept)} of ${totalLines} lines, ${Buffer.byteLength(kept)} of ${totalBytes} bytes.]`;
	return { text: `${notice}\n\n${kept}` as BoundedText, truncated: true };
}

function cutLines(text: string, maxLines: number): string {
	let at = -1;
	for (let line = 0; line < maxLines; line += 1) {
		at = text.indexOf("\n", at + 1);
		if (at === -1) return text;
	}
	return text.slice(0, at);
}

function cutBytes(text: string, maxBytes: number): string {
	const bytes = Buffer.from(text);
	if (bytes.length <= maxBytes) return text;
	// A character that the cut goes through is left out: more of the stream could still come.
	return new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes.subarray(0, maxBytes), { stream: true });
}
