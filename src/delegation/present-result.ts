import type { RedactedText } from "@deputize/redaction";
import { LIMITS } from "../contract/limits.ts";
import type { BoundedText } from "../contract/result.ts";
import { type TruncatedOutput, truncateOutput } from "./truncate-output.ts";

interface ResultParts {
	readonly status: "SUCCESS" | "ERROR";
	/** Only of a session that can be continued. */
	readonly sessionId?: string;
	/** What went wrong; absent on success. */
	readonly error?: RedactedText;
	readonly output?: RedactedText;
	/** One line each, below the answer. */
	readonly notes?: readonly string[];
	/** Nothing changes until a person does something, such as renewing a key: the same call would fail again. */
	readonly needsPerson?: boolean;
	/** Where the whole output is, when it is cut. */
	readonly describeWhole?: () => string;
}

/**
 * The text a model reads: a header that cannot be mistaken, then the answer, or what went wrong and how to go on. Only
 * the parts that the child wrote are ever cut, so that the header stays first and the last line says how to continue.
 */
export function presentResult(parts: ResultParts, maxBytes: number = LIMITS.resultBytes): TruncatedOutput {
	const isFailure = parts.status === "ERROR";
	const error =
		parts.error &&
		truncateOutput(disarmHeaders(parts.error), { maxBytes: maxBytes / 2, maxLines: limitLines(maxBytes) });
	const presented = layOut(
		{
			header: renderHeader(parts.status, parts.sessionId),
			before: isFailure && error ? [error.text] : [],
			label: isFailure ? "Partial output:\n\n" : "",
			output: parts.output,
			describeWhole: parts.describeWhole,
			after: [...(parts.notes ?? []), ...(isFailure ? adviseNext(parts) : [])],
		},
		maxBytes,
	);
	return { ...presented, truncated: Boolean(error?.truncated || presented.truncated) };
}

function adviseNext({ sessionId, needsPerson }: ResultParts): readonly string[] {
	const hopeless = "Do not call it again now, the same would happen: tell the user what is wrong.";
	if (needsPerson)
		return [sessionId ? `${hopeless} Once that is mended, sessionId "${sessionId}" continues it.` : hopeless];
	return sessionId
		? [`To continue where it stopped, call the same agent with sessionId "${sessionId}".`]
		: [];
}

export function renderHeader(status: "SUCCESS" | "ERROR" | "RUNNING", sessionId: string | undefined): string {
	return [`**Status:** ${status}`, ...(sessionId ? [`**Session ID:** \`${sessionId}\``] : [])].join("\n");
}

interface TextParts {
	readonly header: string;
	readonly before: readonly string[];
	/** In front of the output, when there is any. */
	readonly label: string;
	/** Written by the child: the only part that is cut. */
	readonly output: RedactedText | undefined;
	readonly describeWhole?: (() => string) | undefined;
	readonly after: readonly string[];
}

export function layOut(parts: TextParts, maxBytes: number): TruncatedOutput {
	const before = [`${parts.header}\n\n---`, ...parts.before];
	const { label, after } = parts;
	const frame = [...before, label, ...after].join("\n\n");
	const output =
		parts.output &&
		truncateOutput(disarmHeaders(parts.output), {
			maxBytes: Math.max(0, maxBytes - Buffer.byteLength(frame)),
			maxLines: Math.max(1, limitLines(maxBytes) - frame.split("\n").length),
			describeWhole: parts.describeWhole,
		});
	const body = output ? [`${label}${output.text}`] : [];
	return {
		text: [...before, ...body, ...after].join("\n\n") as BoundedText,
		truncated: Boolean(output?.truncated),
	};
}

/** A host that wants all bytes wants all lines. */
function limitLines(maxBytes: number): number {
	return Number.isFinite(maxBytes) ? LIMITS.maxResultLines : Infinity;
}

/** The header's names in bold at the beginning of a line, behind whatever is not seen there. */
const HEADER_LINE =
	/^([>\t\p{Zs}\p{Cf}]*)((?:\*\*|__)\p{Zs}*(?:Status|Session\p{Zs}+ID)\p{Zs}*(?::\p{Zs}*(?:\*\*|__)|(?:\*\*|__)\p{Zs}*:))/gimu;

/** A child's text may imitate our header, also in what it calls an error; the parent must not take its status from it. */
function disarmHeaders(text: RedactedText): RedactedText {
	return text.replace(HEADER_LINE, "$1\\$2") as RedactedText;
}
