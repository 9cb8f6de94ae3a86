import { type JsonObject, sleep } from "@deputize/ground";
import { chooseRetryDelay } from "./choose-retry-delay.ts";
import { refusesTools } from "./explain-refusal.ts";
import { type LoopError, toLoopError } from "./loop-error.ts";
import { negotiateRequest } from "./negotiate-request.ts";
import type { TurnSender } from "./turn-sender.ts";

const MAX_EDITS = 6;

/** True when the request was changed and is worth sending again at once. */
export function adapt(sender: TurnSender, error: LoopError, body: JsonObject, think: boolean): boolean {
	const { adaptation } = sender;
	if (body["previous_response_id"] !== undefined && isRejected(error) && adaptation.dialect === undefined) {
		adaptation.dialect = "openai";
		sender.onNotice?.("previous_response_id was refused; the conversation is sent whole");
		return true;
	}
	if (sender.mayGoWithoutTools && !adaptation.withoutTools && refusesTools(error)) {
		adaptation.withoutTools = true;
		sender.onNotice?.("the model takes no tools; it is asked for an answer in plain words");
		return true;
	}
	const negotiation = negotiateRequest(error, body, think);
	if (negotiation === undefined) return false;
	if (negotiation.kind === "weaker-output") {
		if (adaptation.outputLevel === "prompt") return false;
		adaptation.outputLevel = adaptation.outputLevel === "native" ? "json_object" : "prompt";
		sender.onNotice?.(`structured output was refused; trying ${adaptation.outputLevel}`);
		return true;
	}
	const { edit } = negotiation;
	const known = adaptation.edits.some((earlier) => earlier.key === edit.key);
	if (known || adaptation.edits.length >= MAX_EDITS) return false;
	adaptation.edits.push(edit);
	sender.onNotice?.(`the provider refused a parameter; changed ${edit.key}`);
	return true;
}

function isRejected(error: LoopError): boolean {
	return [400, 404, 422, 501].includes(error.facts.status ?? 0);
}

/** Waits before the next try; ends at once when the run does. */
export async function backOff(sender: TurnSender, retries: number, error: LoopError): Promise<void> {
	const delayMs = chooseRetryDelay(retries, error.facts.retryAfterMs, Math.random);
	sender.onBackoff?.(true);
	if (!(await sleep(delayMs, sender.signal))) throw toLoopError(sender.signal.reason);
	sender.onBackoff?.(false);
}
