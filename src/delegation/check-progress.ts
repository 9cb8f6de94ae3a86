import type { SubagentsConfig } from "../contract/config.ts";
import { NEVER_CALLED } from "../contract/finalization.ts";
import type { Collected } from "./collect-output.ts";

/**
 * Why a running child should be stopped: it goes in circles, and every further turn is paid for. Undefined while there
 * is hope. Judged by counts of structured events, never by what the child says.
 */
export function checkProgress(collected: Collected, config: SubagentsConfig): string | undefined {
	if (collected.corrections > config.finalize.maxCorrections && collected.finalization === undefined) {
		return collected.finalizationProblem ?? NEVER_CALLED;
	}
	const failure = collected.repeatedFailure;
	if (failure !== undefined && failure.count >= config.maxIdenticalFailures) {
		return `The child called ${failure.name} ${failure.count} times in a row with the same arguments, and each call failed; it was stopped. subagents.maxIdenticalFailures sets after how many.`;
	}
	return undefined;
}
