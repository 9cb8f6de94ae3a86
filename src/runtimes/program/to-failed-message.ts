import type { ChildEvent } from "../../contract/event.ts";
import { NO_USAGE } from "../../contract/usage.ts";
import { defined } from "../../json/defined.ts";

/** What a program says about a request that failed, as an answer of its model that failed. */
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
