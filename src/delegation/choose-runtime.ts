import type { AgentDefinition, RuntimeName } from "../contract/agent.ts";
import type { Environment } from "../contract/environment.ts";
import { resolveLoopModel } from "../runtimes/loop/resolve-loop-model.ts";
import { findPi } from "../runtimes/pi/find-pi.ts";

export interface RuntimeWishes {
	/** Asked for in this call, such as `--runtime`. */
	readonly requested?: RuntimeName | undefined;
	readonly model?: string | undefined;
	readonly env: Environment;
	readonly cwd: string;
	/** Directory of the running pi's package, inside pi. */
	readonly piPackage?: string | undefined;
}

export interface ChosenRuntime {
	readonly name: RuntimeName;
	/** A line for the person when it is not the usual one. */
	readonly notice?: string;
}

/** What was asked for, else pi, else, where no pi is installed and nobody named one, our own program if it can do it. */
export function chooseRuntime(
	agent: Pick<AgentDefinition, "runtime" | "model">,
	wishes: RuntimeWishes,
	isInstalled: (wishes: RuntimeWishes) => boolean = isPiInstalled,
): ChosenRuntime {
	const named = wishes.requested ?? agent.runtime;
	if (named !== undefined) return { name: named };
	if (wishes.piPackage !== undefined || wishes.env["PI_SUBAGENT_PI_BINARY"] || isInstalled(wishes))
		return { name: "pi" };
	if (!canRunLoop(wishes.model ?? agent.model, wishes.env)) return { name: "pi" };
	return {
		name: "loop",
		notice:
			"pi was not found: the agent runs without it (--runtime loop). To use pi, install it: npm install -g @earendil-works/pi-coding-agent",
	};
}

function isPiInstalled({ env, cwd }: RuntimeWishes): boolean {
	try {
		findPi({ env, cwd });
		return true;
	} catch {
		return false;
	}
}

function canRunLoop(model: string | undefined, env: RuntimeWishes["env"]): boolean {
	try {
		resolveLoopModel(model, env);
		return true;
	} catch {
		return false;
	}
}
