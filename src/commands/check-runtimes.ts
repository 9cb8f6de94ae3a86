import { chooseRuntime } from "../delegation/choose-runtime.ts";
import { AGENT_PROGRAMS } from "../runtimes/agent-programs.ts";
import { resolveLoopModel } from "../runtimes/loop/resolve-loop-model.ts";
import type { AgentProgram } from "../runtimes/program/agent-program.ts";
import { inspectProgram } from "../runtimes/program/inspect-program.ts";
import type { CommandContext } from "./command-context.ts";
import type { ReportLine } from "./report.ts";

/** What children are here, in which order that is decided, and what the programs of other agents are good for. */
export async function checkRuntimes(context: CommandContext): Promise<readonly ReportLine[]> {
	const { env, home } = context.surroundings;
	const { runtime } = context.config.subagents;
	const chosen = chooseRuntime({}, { ...context, env, home, configured: runtime });
	const programs = await Promise.all(
		Object.values(AGENT_PROGRAMS).map(async (program) => ({
			program,
			found: await inspectProgram(program, { env, home, cwd: context.cwd }),
		})),
	);
	return [
		{ status: "info", text: `Children are ${chosen.name} here: ${chosen.why}` },
		{
			status: "info",
			text:
				runtime === "auto"
					? "Order: --runtime, the agent's file, the program of the calling client, pi, loop with a key, the offline navigator"
					: `Order: --runtime, the agent's file, subagents.runtime (${runtime})`,
		},
		...programs.map(({ program, found }) => describeProgram(program, found)),
		{ status: "info", text: `loop: ${describeLoop(context)}` },
	];
}

function describeProgram(
	{ name, title, packageName, tested }: AgentProgram,
	found: Awaited<ReturnType<typeof inspectProgram>>,
): ReportLine {
	if (found === undefined) {
		return { status: "info", text: `${name}: not on PATH (npm install -g ${packageName})` };
	}
	const shown = `${name}: ${title} ${found.version ?? "of unknown version"} at ${found.path}`;
	if (found.missingOptions.length > 0) {
		return {
			status: "warn",
			text: `${shown} does not know ${found.missingOptions.join(", ")}`,
			remedy: `It cannot be a child. Install the version that was tested: npm install -g ${packageName}@${tested.version}`,
		};
	}
	if (!found.isLoggedIn) {
		return {
			status: "warn",
			text: `${shown} is not logged in`,
			remedy: `Run ${name} once and log in, if it should be a child.`,
		};
	}
	return found.isNewer
		? {
				status: "warn",
				text: `${shown}, logged in, is newer than ${tested.version}, which was tested`,
				remedy:
					"It has every option that a child needs. Should a child fail or do more than it may, report it.",
			}
		: { status: "ok", text: `${shown}, logged in` };
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
