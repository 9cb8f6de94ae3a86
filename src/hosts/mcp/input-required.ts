import type { JsonObject } from "@deputize/ground";

export interface ClientQuestion {
	/** The same for the same question: the answer comes back under it. */
	readonly key: string;
	readonly method: "elicitation/create" | "roots/list";
	readonly params?: JsonObject;
}

/**
 * Thrown where a client that is asked without a request of ours has to answer first. The call ends with the question;
 * the client repeats it with the answer. Nothing of the run has begun by then.
 */
export class InputRequired extends Error {
	readonly question: ClientQuestion;

	constructor(question: ClientQuestion) {
		super(`The client has to answer ${question.method} first`);
		this.name = "InputRequired";
		this.question = question;
	}

	toResult(): JsonObject {
		const { key, method, params } = this.question;
		return {
			resultType: "input_required",
			inputRequests: { [key]: params === undefined ? { method } : { method, params } },
		};
	}
}
