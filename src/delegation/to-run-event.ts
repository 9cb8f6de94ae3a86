import { defined } from "@deputize/ground";
import type { ChildEvent } from "../contract/event.ts";
import type { DelegationResult } from "../contract/result.ts";
import { NO_USAGE } from "../contract/usage.ts";
import type { RunEnd, RunEvent, RunStart } from "../journal/run-event.ts";
import type { Redact } from "./redact.ts";

const MAX_TEXT_CHARS = 16_384;
/** There may be a hundred of them in one file. */
const MAX_RESULT_CHARS = 4000;

/** What a child said, as it is shown to somebody who watches. Undefined for what they would not see. */
export function toRunEvent(
	event: ChildEvent,
	{ at, attempts, redact }: { readonly at: number; readonly attempts: number; readonly redact: Redact },
): Exclude<RunEvent, RunStart | RunEnd> | undefined {
	switch (event.type) {
		case "child-start":
			return attempts > 1 ? { type: "attempt", at, number: attempts } : undefined;
		case "turn-start":
			return { type: "turn", at };
		case "assistant-message":
			return {
				type: "message",
				at,
				text: redact.head(event.text, MAX_TEXT_CHARS),
				usage: event.usage,
				...defined({
					model: event.model,
					error: event.errorMessage ? redact.head(event.errorMessage, MAX_TEXT_CHARS) : undefined,
				}),
			};
		case "tool-start":
			return { type: "call", at, id: event.id, name: event.name, args: redact.args(event.args) };
		case "tool-end":
			return {
				type: "result",
				at,
				id: event.id,
				isError: event.isError,
				...defined({ text: event.output ? redact.head(event.output, MAX_RESULT_CHARS) : undefined }),
			};
		case "extra-usage":
			return { type: "spending", at, usage: event.usage };
		case "backoff-start":
			return { type: "backoff", at };
		case "correction":
			return { type: "correction", at };
		default:
			return undefined;
	}
}

/** Without a result: an error of ours ended the run. */
export function toRunEnd(result: DelegationResult | undefined, at: number): RunEnd {
	const single = result?.details.results[0];
	const error = result?.isError ? result.details.error : undefined;
	return {
		type: "end",
		at,
		ok: result !== undefined && !result.isError,
		usage: single?.usage ?? NO_USAGE,
		durationMs: single?.durationMs ?? 0,
		...defined({
			code: error?.code,
			cause: error?.cause?.kind,
			error: error?.message,
			output: single?.output?.slice(0, MAX_TEXT_CHARS) as RunEnd["output"],
		}),
	};
}
