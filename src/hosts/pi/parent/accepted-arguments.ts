interface AcceptedArguments {
	readonly agent: string;
	readonly task: string;
	readonly sessionId?: string;
}

const FIELDS = ["agent", "task", "sessionId"];

/** Whether pi's own check of the arguments would let them pass. */
export function isAcceptedByHost(input: unknown): input is AcceptedArguments {
	if (typeof input !== "object" || input === null) return false;
	const { agent, task, sessionId } = input as Record<string, unknown>;
	return (
		typeof agent === "string" &&
		agent !== "" &&
		typeof task === "string" &&
		task !== "" &&
		(sessionId === undefined || sessionId === null || typeof sessionId === "string") &&
		Object.keys(input).every((name) => FIELDS.includes(name))
	);
}

/**
 * pi answers arguments that do not fit the schema itself, without our error code and without details. What
 * would not pass is replaced by something that does, and the call is then refused with the original.
 */
export function toAcceptedArguments(input: unknown): AcceptedArguments {
	return isAcceptedByHost(input) ? input : { agent: "invalid", task: "invalid" };
}
