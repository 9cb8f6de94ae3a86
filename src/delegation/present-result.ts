import type { RedactedText } from "../contract/result.ts";

export interface ResultParts {
	readonly status: "SUCCESS" | "ERROR";
	readonly sessionId?: string;
	/** What went wrong; absent on success. */
	readonly error?: RedactedText;
	readonly output?: RedactedText;
	/** The session file exists, so the work can be continued. */
	readonly resumable: boolean;
}

/** The text a model reads: a header that cannot be mistaken, then the answer, or what went wrong and how to go on. */
export function presentResult(parts: ResultParts): RedactedText {
	const header = [
		`**Status:** ${parts.status}`,
		...(parts.sessionId ? [`**Session ID:** \`${parts.sessionId}\``] : []),
	].join("\n");
	return `${header}\n\n---\n\n${presentBody(parts)}` as RedactedText;
}

function presentBody(parts: ResultParts): string {
	const output = parts.output ? disarmHeaders(parts.output) : undefined;
	if (parts.status === "SUCCESS") return output ?? "";
	return [
		...(parts.error ? [parts.error] : []),
		...(output ? [`Partial output:\n\n${output}`] : []),
		...(parts.resumable && parts.sessionId
			? [`To continue where it stopped, call the same agent with sessionId "${parts.sessionId}".`]
			: []),
	].join("\n\n");
}

/** A child's text may imitate our header; the parent must not read its own status out of it. */
function disarmHeaders(text: string): string {
	return text.replace(/^\*\*(Status|Session ID):\*\*/gm, "\\**$1:**");
}
