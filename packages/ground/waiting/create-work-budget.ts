import { createContext, Script } from "node:vm";
import { isObject } from "../json/json-values.ts";

/**
 * Runs work of a stranger's making on this thread, for `eachMs` a call and `totalMs` over all of them: what is not done by then is ended where it
 * is, also in the middle of a regular expression, and `otherwise` answers. V8's watchdog does it, which unlike a timer of
 * this thread does not wait for the thread, and unlike a worker needs no copy of what is computed.
 */
export function createWorkBudget(
	totalMs: number,
	eachMs: number = totalMs,
): <Value>(work: () => Value, otherwise: () => Value) => Value {
	const context: { work?: () => unknown } = createContext({});
	const script = new Script("work()");
	let leftMs = totalMs;
	return <Value>(work: () => Value, otherwise: () => Value) => {
		if (leftMs <= 0) return otherwise();
		const begun = performance.now();
		let answer: { readonly value: Value } | undefined;
		context.work = () => {
			answer = { value: work() };
		};
		try {
			script.runInContext(context, { timeout: Math.ceil(Math.min(leftMs, eachMs)) });
		} catch (error) {
			if (!isObject(error) || error["code"] !== "ERR_SCRIPT_EXECUTION_TIMEOUT") throw error;
		}
		leftMs -= performance.now() - begun;
		return answer ? answer.value : otherwise();
	};
}
