import type { Deadline } from "../create-deadline.ts";

/** A request that is on its way. */
export interface StartedRequest {
	readonly answer: Promise<unknown>;
	/** Sends `$/cancelRequest`; nobody waits for the server to honour it. */
	readonly cancel: () => void;
}

/**
 * Questions sent before the call that will ask them has made its checks, so that the server thinks while the disk is
 * looked at. An answer is used only when the checks lead the same call to the same question and nothing was said to
 * the server in between: then asking again could not give another answer.
 */
export interface QuestionsAhead {
	readonly send: (method: string, params: unknown) => QuestionAhead;
	/** The question that this call has sent already. */
	readonly take: (method: string, params: unknown, call: Deadline) => StartedRequest | undefined;
	/** The server is told something: what was asked before is about an older text. */
	readonly forgetAll: () => void;
	/** The call is over, whatever it used. */
	readonly forget: (question: QuestionAhead) => void;
}

export interface QuestionAhead {
	readonly method: string;
	readonly params: unknown;
	readonly started: StartedRequest;
	/** Whose question it is. Set after it was sent, because even a deadline takes time to make. */
	call: Deadline | undefined;
}

export function createQuestionsAhead(
	start: (method: string, params: unknown) => StartedRequest,
): QuestionsAhead {
	let questions: QuestionAhead[] = [];

	function drop(isDropped: (question: QuestionAhead) => boolean): void {
		if (questions.length === 0) return;
		const dropped = questions.filter(isDropped);
		questions = questions.filter((question) => !isDropped(question));
		for (const { started } of dropped) started.cancel();
	}

	return {
		send: (method, params) => {
			const question = { method, params, started: start(method, params), call: undefined };
			questions.push(question);
			return question;
		},
		take: (method, params, call) => {
			const index = questions.findIndex(
				(question) =>
					question.call === call &&
					question.method === method &&
					JSON.stringify(question.params) === JSON.stringify(params),
			);
			return index === -1 ? undefined : questions.splice(index, 1)[0]?.started;
		},
		forgetAll: () => drop(() => true),
		forget: (question) => drop((other) => other === question),
	};
}
