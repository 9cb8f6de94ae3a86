import type { ExtensionAPI } from "@earendil-works/pi-coding-agent";
import type { ChildGrant } from "../../../runtimes/child-grant.ts";

const UNANSWERED = ["error", "aborted"];

/** The parent ends a child at its bound too, but its signal comes when the request is already on its way. */
export function limitTurns(pi: ExtensionAPI, { maxTurns = Infinity }: Pick<ChildGrant, "maxTurns">): void {
	let turns = 0;
	pi.on("message_end", ({ message }) => {
		if (message.role === "assistant" && !UNANSWERED.includes(message.stopReason)) turns += 1;
	});
	pi.on("turn_start", (_event, context) => {
		if (turns >= maxTurns) context.abort();
	});
}
