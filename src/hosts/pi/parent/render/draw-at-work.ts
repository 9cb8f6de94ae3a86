import type { DelegationUpdate } from "../../../../contract/result.ts";
import { drawCall } from "./draw-call.ts";
import { drawRunning, type LiveRun } from "./draw-running.ts";
import type { Pen } from "./pen.ts";

interface RunAtWork {
	readonly agent: string;
	readonly task: string;
	readonly startedAt: number;
	readonly update?: DelegationUpdate | undefined;
}

/** The call of a run and what it is doing, as far as its newest update says. */
export function drawAtWork(run: RunAtWork, pen: Pen, maxLines?: number): readonly string[] {
	const { agent, task } = run;
	const live = toLiveRun(run);
	return [
		...drawCall({ agent, task, state: live.streaming?.waiting ? "waiting" : "running" }, false, pen),
		...drawRunning(live, pen, maxLines),
	];
}

export function toLiveRun({ startedAt, update }: Pick<RunAtWork, "startedAt" | "update">): LiveRun {
	const { streaming } = update?.details ?? {};
	return { streaming, text: update?.content[0].text ?? "", startedAt, now: Date.now() };
}
