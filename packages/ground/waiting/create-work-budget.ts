import { createContext, Script } from "node:vm";
import { isObject } from "../json/json-values.ts";
import { createComputingClock } from "./create-computing-clock.ts";

/** Of its limit: the watchdog may be a little ahead of the thread that computes. */
const ENOUGH = 0.9;

/**
 * Runs work of a stranger's making on this thread, for `eachMs` of computing a call and `totalMs` over all of them: what is not done by then
 * is ended where it is, also in the middle of a regular expression, and `otherwise` answers. V8's watchdog does it, which unlike a timer of
 * this thread does not wait for the thread, and unlike a worker needs no copy of what is computed. It knows only the time that passes: work
 * that was ended although it had hardly computed, as on a busy machine, begins again and may take twice as long.
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
		const limitMs = Math.ceil(Math.min(leftMs, eachMs));
		const readTime = createComputingClock();
		let answer: { readonly value: Value } | undefined;
		context.work = () => {
			answer = { value: work() };
		};
		for (let timeout = limitMs; answer === undefined && readTime() < limitMs * ENOUGH; timeout *= 2) {
			try {
				script.runInContext(context, { timeout });
			} catch (error) {
				if (!isObject(error) || error["code"] !== "ERR_SCRIPT_EXECUTION_TIMEOUT") throw error;
			}
		}
		leftMs -= readTime();
		return answer ? answer.value : otherwise();
	};
}
