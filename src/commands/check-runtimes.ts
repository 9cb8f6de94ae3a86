import { chooseRuntime } from "../delegation/choose-runtime.ts";
import { resolveLoopModel } from "../runtimes/loop/resolve-loop-model.ts";
import type { CommandContext } from "./command-context.ts";
import { describeProgram } from "./describe-survey.ts";
import { info, type ReportLine } from "./report.ts";
import type { ProgramState } from "./survey-machine.ts";

/** What children are here, in which order that is decided, and what the programs of other agents are good for. */
export function checkRuntimes(
	context: CommandContext,
	programs: readonly ProgramState[],
): readonly ReportLine[] {
	const { env, home } = context.surroundings;
	const { runtime } = context.config.subagents;
	const chosen = chooseRuntime({}, { ...context, env, home, configured: runtime });
	return [
		info(`Children are ${chosen.name} here: ${chosen.why}`),
		info(
			runtime === "auto"
				? "Order: --runtime, the agent's file, the program of the calling client, pi, loop with a key, the offline navigator"
				: `Order: --runtime, the agent's file, subagents.runtime (${runtime})`,
		),
		...programs.map(describeProgram),
		info(`loop: ${describeLoop(context)}`),
	];
}

function describeLoop({ surroundings: { env } }: CommandContext): string {
	try {
		const { provider, model, apiKeyName, url } = resolveLoopModel(undefined, env);
		if (provider === "offline") return "no key in the environment: the offline navigator would answer";
		return `${model} over ${apiKeyName === "" ? url : `the key in ${apiKeyName}`}`;
	} catch (error) {
		return (error as Error).message;
	}
}
