import { asObject, defined, type JsonObject } from "@deputize/ground";
import type { Call } from "./create-server.ts";
import { type ClientQuestion, InputRequired } from "./input-required.ts";

/** The call during which the question comes up, and how long it may take. */
interface AskOptions extends Pick<Call, "caller" | "params" | "outgoing"> {
	readonly timeoutMs: number;
	readonly signal?: AbortSignal;
}

/**
 * The client's answer, or undefined when it gives none. In the handshake era a request of ours; since then an answer that
 * came with the repeated call, and `InputRequired` when this is the first.
 */
export async function askClient(
	question: ClientQuestion,
	options: AskOptions,
): Promise<JsonObject | undefined> {
	const { caller, params, outgoing, timeoutMs, signal } = options;
	if (!caller.isModern) return outgoing.ask(question, { timeoutMs, ...defined({ signal }) });
	const answers = asObject(params["inputResponses"]);
	if (!Object.hasOwn(answers, question.key)) throw new InputRequired(question);
	return asObject(answers[question.key]);
}
