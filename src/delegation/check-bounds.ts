import { formatCount } from "@deputize/ground";
import type { ChildEnd, ChildEvent } from "../contract/event.ts";
import type { RunBounds } from "../contract/plan.ts";
import type { Collected } from "./collect-output.ts";

/**
 * Why a run ends with this event: a turn begins although a bound was reached. Turns that began within it are finished,
 * so that an answer that is being handed over is not lost, and the tools of the last turn still run.
 */
export function checkBounds(
	{ usage, finalization }: Pick<Collected, "usage" | "finalization">,
	event: ChildEvent,
	{ maxTurns, maxCost }: RunBounds,
): Pick<ChildEnd, "reason" | "message"> | undefined {
	// Not every runtime tells when a turn begins; all tell what came of it.
	const isTurn = event.type === "turn-start" || event.type === "assistant-message";
	if (!isTurn || finalization !== undefined) return undefined;
	if (maxTurns !== undefined && usage.turns >= maxTurns) {
		return {
			reason: "turn-limit",
			message: `The child used the ${formatCount(maxTurns, "turn")} that max_turns of the agent or subagents.maxTurns allows without handing over, and was stopped.`,
		};
	}
	if (maxCost !== undefined && usage.cost >= maxCost) {
		return {
			reason: "cost-limit",
			message: `The child has cost ${formatDollars(usage.cost)}, which reaches the ${formatDollars(maxCost)} that max_cost of the agent or subagents.maxCost allows, and was stopped.`,
		};
	}
	return undefined;
}

/** Bounds may be parts of a cent. */
function formatDollars(amount: number): string {
	return `$${Number(amount.toPrecision(4))}`;
}
