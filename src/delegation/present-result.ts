import { LIMITS } from "../contract/limits.ts";
import type { BoundedText, RedactedText } from "../contract/result.ts";
import { type TruncatedOutput, truncateOutput } from "../text/truncate-output.ts";

export interface ResultParts {
	readonly status: "SUCCESS" | "ERROR";
	/** Only of a session that can be continued. */
	readonly sessionId?: string;
	/** What went wrong; absent on success. */
	readonly error?: RedactedText;
	readonly output?: RedactedText;
	/** One line each, below the answer. */
	readonly notes?: readonly string[];
}

/**
 * The text a model reads: a header that cannot be mistaken, then the answer, or what went wrong and how to go on. Only
 * the parts that the child wrote are ever cut, so that the header stays first and the last line says how to continue.
 */
export function presentResult(parts: ResultParts): TruncatedOutput {
	const header = [
		`**Status:** ${parts.status}`,
		...(parts.sessionId ? [`**Session ID:** \`${parts.sessionId}\``] : []),
	].join("\n");
	const error =
		parts.error && truncateOutput(disarmHeaders(parts.error), { ...FULL, maxBytes: FULL.maxBytes / 2 });
	const isFailure = parts.status === "ERROR";
	const before = [`${header}\n\n---`, ...(isFailure && error ? [error.text] : [])];
	const label = isFailure ? "Partial output:\n\n" : "";
	const after = [
		...(parts.notes ?? []),
		...(isFailure && parts.sessionId
			? [`To continue where it stopped, call the same agent with sessionId "${parts.sessionId}".`]
			: []),
	];
	const output =
		parts.output && truncateOutput(disarmHeaders(parts.output), measureRoom(before, label, after));
	const body = output ? [`${label}${output.text}`] : [];
	return {
		text: [...before, ...body, ...after].join("\n\n") as BoundedText,
		truncated: Boolean(error?.truncated || output?.truncated),
	};
}

interface Room {
	readonly maxBytes: number;
	readonly maxLines: number;
}

const FULL: Room = { maxBytes: LIMITS.maxResultBytes, maxLines: LIMITS.maxResultLines };

function measureRoom(before: readonly string[], label: string, after: readonly string[]): Room {
	const frame = [...before, label, ...after].join("\n\n");
	return {
		maxBytes: Math.max(0, FULL.maxBytes - Buffer.byteLength(frame)),
		maxLines: Math.max(1, FULL.maxLines - frame.split("\n").length),
	};
}

/** A child's text may imitate our header, also in what it calls an error; the parent must not take its status from it. */
function disarmHeaders(text: RedactedText): RedactedText {
	return text.replace(/^([ \t>]{0,8})\*\*(Status|Session ID)(:\*\*|\*\*:)/gim, "$1\\**$2$3") as RedactedText;
}
