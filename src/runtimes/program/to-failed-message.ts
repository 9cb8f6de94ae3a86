import { defined } from "@deputize/ground";
import type { ChildEvent } from "../../contract/event.ts";
import { NO_USAGE } from "../../contract/usage.ts";

/** A program's report of a failed request, as a failed answer of its model. */
export function toFailedMessage(errorMessage: string, status?: number): ChildEvent {
	return {
		type: "assistant-message",
		text: "",
		toolCalls: [],
		stopReason: "error",
		errorMessage,
		...defined({ errorFacts: status === undefined ? undefined : { status } }),
		usage: NO_USAGE,
	};
}
