import type { CommandContext } from "./command-context.ts";
import { renderDecision } from "./decide-here.ts";
import { describeProgram } from "./describe-survey.ts";
import { fail, info, type ReportLine } from "./report.ts";
import type { MachineSurvey } from "./survey-machine.ts";

/** What children are here, in which order that is decided, and what the programs of other agents are good for. */
export function checkRuntimes(
	{ config }: CommandContext,
	{ programs, decision }: Pick<MachineSurvey, "programs" | "decision">,
): readonly ReportLine[] {
	const { runtime } = config.subagents;
	return [
		...("problem" in decision
			? [fail(decision.problem)]
			: [
					info(`Children are ${decision.runtime.name} here: ${decision.runtime.why}`),
					info(`A run that names no model asks ${renderDecision(decision)}`),
				]),
		info(
			runtime === "auto"
				? "Order: --runtime, the agent's file, the program of the calling client, DEPUTIZE_LOOP_URL, pi with a key or a login, loop with a key, claude, codex, a server under models, the offline navigator"
				: `Order: --runtime, the agent's file, subagents.runtime (${runtime})`,
		),
		...programs.map(describeProgram),
	];
}
