import { asObject } from "@deputize/ground";
import type { DelegationRequest } from "../../../contract/request.ts";

const FIELDS = ["agent", "task", "sessionId"];

/** Whether pi's own check of the arguments would let them pass. */
export function isAcceptedByHost(input: unknown): input is DelegationRequest {
	const fields = asObject(input);
	const { agent, task, sessionId } = fields;
	return (
		typeof agent === "string" &&
		agent !== "" &&
		typeof task === "string" &&
		task !== "" &&
		(sessionId === undefined || sessionId === null || typeof sessionId === "string") &&
		Object.keys(fields).every((name) => FIELDS.includes(name))
	);
}

/**
 * pi answers arguments that do not fit the schema itself, without our error code and without details. What
 * would not pass is replaced by something that does, and the call is then refused with the original.
 */
export function toAcceptedArguments(input: unknown): DelegationRequest {
	return isAcceptedByHost(input) ? input : { agent: "invalid", task: "invalid" };
}
