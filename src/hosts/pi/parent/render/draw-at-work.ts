import type { DelegationUpdate } from "../../../../contract/result.ts";
import { drawCall } from "./draw-call.ts";
import { drawRunning } from "./draw-running.ts";
import type { Pen } from "./pen.ts";

/** The call of a run and what it is doing, as far as its newest update says. */
export function drawAtWork(
	run: {
		readonly agent: string;
		readonly task: string;
		readonly startedAt: number;
		readonly update?: DelegationUpdate | undefined;
	},
	pen: Pen,
	maxLines?: number,
): readonly string[] {
	const { agent, task, startedAt, update } = run;
	const streaming = update?.details.streaming;
	const live = { streaming, text: update?.content[0].text ?? "", startedAt, now: Date.now() };
	return [
		...drawCall({ agent, task, state: streaming?.waiting ? "waiting" : "running" }, false, pen),
		...drawRunning(live, pen, maxLines),
	];
}
