import type { Environment } from "@deputize/ground";
import type { AgentDefinition, RuntimeName } from "../contract/agent.ts";
import { canUseModel } from "../runtimes/can-use-model.ts";
import { checkLoopModel } from "../runtimes/loop/resolve-loop-model.ts";
import { findPi, NoPiError } from "../runtimes/pi/find-pi.ts";
import { findClientProgram } from "../runtimes/program-logins.ts";

interface RuntimeWishes {
	/** Asked for in this call, such as `--runtime`. */
	readonly requested?: RuntimeName | undefined;
	/** `subagents.runtime`. */
	readonly configured?: RuntimeName | "auto";
	readonly model?: string | undefined;
	readonly env: Environment;
	readonly cwd: string;
	readonly home?: string;
	/** Directory of the running pi's package, inside pi. */
	readonly piPackage?: string | undefined;
	/** Who calls, at a door for other agents. */
	readonly callingClient?: string | undefined;
}

export interface ChosenRuntime {
	readonly name: RuntimeName;
	/** For a person. */
	readonly why: string;
	/** A line for the person when it is not the usual one. */
	readonly notice?: string;
}

type MissingPi = Pick<NoPiError, "why" | "gain">;

/**
 * What was asked for, else the agent's, else the configuration's, else, inside pi, pi, else the calling client's own
 * program, else pi, else, where no pi is installed that runs here and nobody named one, our own program if it can do it.
 */
export function chooseRuntime(
	agent: Pick<AgentDefinition, "runtime" | "model">,
	wishes: RuntimeWishes,
	explainMissingPi: (wishes: RuntimeWishes) => MissingPi | undefined = lookForPi,
): ChosenRuntime {
	if (wishes.requested !== undefined) return { name: wishes.requested, why: "asked for" };
	if (agent.runtime !== undefined) return { name: agent.runtime, why: "the agent's file" };
	if (wishes.configured !== undefined && wishes.configured !== "auto")
		return { name: wishes.configured, why: "subagents.runtime" };
	if (wishes.piPackage !== undefined) return { name: "pi", why: "this is pi" };
	const model = wishes.model ?? agent.model;
	const own = findClientProgram(wishes.callingClient, { env: wishes.env, home: wishes.home ?? "" });
	if (own !== undefined && (model === undefined || canUseModel(own, model)))
		return { name: own, why: `${wishes.callingClient} calls, and is logged in here` };
	const missing = wishes.env["PI_SUBAGENT_PI_BINARY"] ? undefined : explainMissingPi(wishes);
	if (missing === undefined) return { name: "pi", why: "pi is installed" };
	if (checkLoopModel(model, wishes.env) !== undefined)
		return { name: "pi", why: "only pi could know the model" };
	return {
		name: "loop",
		why: missing.why,
		notice: `${missing.why}: the agent runs without it (--runtime loop). ${missing.gain}`,
	};
}

/** Undefined when there is one. */
function lookForPi({ env, cwd }: RuntimeWishes): MissingPi | undefined {
	try {
		findPi({ env, cwd });
		return undefined;
	} catch (error) {
		if (error instanceof NoPiError) return error;
		throw error;
	}
}
