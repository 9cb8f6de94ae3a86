import type { ExtensionContext } from "@earendil-works/pi-coding-agent";
import { ANSWER_MESSAGE } from "../custom-types.ts";

/** By the run's id in the message itself: the only proof that the model has it. */
export function listDelivered(
	session: Pick<ExtensionContext["sessionManager"], "getEntries">,
): ReadonlySet<string> {
	return new Set(
		session.getEntries().flatMap((entry) => {
			const { type, customType, details } = entry as {
				type: string;
				customType?: string;
				details?: { runId?: unknown };
			};
			const isAnswer = type === "custom_message" && customType === ANSWER_MESSAGE;
			return isAnswer && typeof details?.runId === "string" ? [details.runId] : [];
		}),
	);
}
