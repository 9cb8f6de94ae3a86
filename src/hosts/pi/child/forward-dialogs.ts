import { randomUUID } from "node:crypto";
import { onAbort } from "@deputize/ground";
import type { ExtensionAPI, ExtensionUIContext } from "@earendil-works/pi-coding-agent";
import { type ChildAnswer, type ChildQuestion, QUESTION_ENTRY } from "../../../contract/child-question.ts";

type Question = Pick<ChildQuestion, "kind" | "title" | "message" | "options">;
interface DialogOptions {
	readonly signal?: AbortSignal;
	readonly timeout?: number;
}

/** The limits of a run end it long before. */
const LONGEST_WAIT_MS = 24 * 60 * 60 * 1000;

/**
 * Lets extensions that ask before a call is made ask the person in front of the parent. A child has no user interface,
 * but pi gives all listeners of `tool_call` one context, and ours comes first: the dialogs of that context go to the
 * parent. Returns what takes the parent's answers; where there is no person, each is a no.
 */
export function forwardDialogs(pi: ExtensionAPI): (id: string, answer: ChildAnswer) => void {
	const waiting = new Map<string, (answer: ChildAnswer) => void>();
	const ask = (
		question: Question,
		call: Pick<ChildQuestion, "tool" | "args">,
		{ signal, timeout }: DialogOptions = {},
	): Promise<ChildAnswer> =>
		new Promise((resolve) => {
			const id = randomUUID();
			const answer = (value: ChildAnswer): void => {
				waiting.delete(id);
				clearTimeout(timer);
				unfollow();
				resolve(value);
			};
			// Also what keeps the child alive: nothing else does while it waits.
			const timer = setTimeout(answer, timeout ?? LONGEST_WAIT_MS, undefined);
			const unfollow = onAbort(signal, () => answer(undefined));
			waiting.set(id, answer);
			pi.appendEntry(QUESTION_ENTRY, { ...question, ...call, id });
		});
	pi.on("tool_call", ({ toolName, input }, context) => {
		const call = { tool: toolName, args: input as ChildQuestion["args"] };
		const dialogs: Pick<ExtensionUIContext, "confirm" | "select" | "input"> = {
			confirm: async (title, message, options) =>
				(await ask({ kind: "confirm", title, message }, call, options)) === true,
			select: async (title, options, more) => {
				const answer = await ask({ kind: "select", title, options }, call, more);
				return options.find((option) => option === answer);
			},
			input: async (title, _placeholder, options) => {
				const answer = await ask({ kind: "input", title }, call, options);
				return typeof answer === "string" ? answer : undefined;
			},
		};
		const ui = Object.assign(Object.create(context.ui) as ExtensionUIContext, dialogs);
		Object.defineProperties(context, { ui: { value: ui }, hasUI: { value: true } });
	});
	return (id, answer) => waiting.get(id)?.(answer);
}
