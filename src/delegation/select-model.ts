import { defined } from "@deputize/ground";
import type { AgentDefinition, RuntimeName } from "../contract/agent.ts";
import { DelegationError } from "../contract/error-codes.ts";
import { OFFLINE_MODEL } from "../contract/offline-model.ts";
import type { ModelChoice } from "../contract/plan.ts";
import { canUseModel } from "../runtimes/can-use-model.ts";
import { listUsablePrograms } from "../runtimes/program-logins.ts";
import { checkModel } from "./check-model.ts";
import type { ChosenModel } from "./decide-model.ts";
import type { DelegationContext } from "./delegation-context.ts";

type ModelContext = Pick<DelegationContext, "host" | "surroundings" | "config">;

/**
 * The first of the chosen models that can be used here; the usable ones after it remain as fallbacks. Names that
 * someone wrote are checked before anything starts; the parent's own model is known to work.
 */
export async function selectModel(
	chosen: ChosenModel,
	agent: AgentDefinition,
	runtime: RuntimeName,
	context: ModelContext,
): Promise<ChosenModel> {
	if (!chosen.isNamed) {
		if (chosen.model === OFFLINE_MODEL && agent.output)
			throw new DelegationError("INVALID_INPUT", `${agent.name} was not run: ${NO_DATA}`);
		refuseNavigator(chosen, agent, context);
		return chosen;
	}
	const candidates = listCandidates(chosen);
	const problems = await findProblems(candidates, agent, runtime, context);
	const named = dropUnusable(chosen, problems);
	if (named === undefined) throw refuseModels(chosen, problems, agent);
	const usable = runtime === "loop" ? await completeNames(named, context) : named;
	const skipped = problems.slice(0, problems.indexOf(undefined));
	return skipped.length === 0
		? usable
		: { ...usable, notice: `${usable.model} answers: ${skipped.join(" ")}` };
}

async function completeNames(
	chosen: ChosenModel,
	{ surroundings: { env }, config: { models } }: ModelContext,
): Promise<ChosenModel> {
	const { completeModelName } = await import("./complete-model-name.ts");
	const complete = async <T extends ModelChoice>(choice: T): Promise<T> =>
		choice.model === undefined
			? choice
			: { ...choice, model: await completeModelName(choice.model, { env, models }) };
	const [first, fallbacks] = await Promise.all([
		complete(chosen),
		Promise.all(chosen.fallbacks.map(complete)),
	]);
	return { ...first, fallbacks };
}

/** The only role the navigator fills well enough for another model to act on its answer. */
const OF_NAVIGATOR = "explorer";

/**
 * A person sees that the navigator answered because there was no language model. An MCP client is a model and would
 * take its keywords for a review, so agents other than the explorer are refused there unless it was requested.
 */
function refuseNavigator(
	{ model, notice }: ChosenModel,
	agent: AgentDefinition,
	{ host, surroundings }: ModelContext,
): void {
	const isStopgap = model === OFFLINE_MODEL && notice !== undefined;
	if (!isStopgap || host.callingClient === undefined || agent.name === OF_NAVIGATOR) return;
	const [usable] = listUsablePrograms(surroundings);
	const advice = usable
		? `${usable} is installed and logged in: set "subagents": { "runtime": "${usable}" } in ${surroundings.agentDirectory}/deputize.json to use it`
		: "Install Claude Code, Codex or pi and log in, or set a key such as ANTHROPIC_API_KEY where this server is started";
	throw new DelegationError(
		"SUBAGENT_FAILED",
		`${agent.name} was not run: no language model can be used here, and the offline navigator only answers for ${OF_NAVIGATOR}. ${advice}.`,
		{ kind: "unauthorized" },
	);
}

const NO_DATA =
	"the offline navigator has no language model and cannot fill in the data that output asks for.";

/** The chosen model and what comes after it, in order. */
export function listCandidates({ model, thinkingLevel, fallbacks }: ChosenModel): readonly ModelChoice[] {
	return [defined({ model, thinkingLevel }), ...fallbacks];
}

/** The chosen models without those that have a problem; undefined if none is left. */
export function dropUnusable(
	chosen: ChosenModel,
	problems: readonly (string | undefined)[],
): ChosenModel | undefined {
	const [first, ...fallbacks] = listCandidates(chosen).filter((_, index) => problems[index] === undefined);
	const { why, isNamed } = chosen;
	return first && { ...first, why, isNamed, fallbacks };
}

async function findProblems(
	candidates: readonly ModelChoice[],
	agent: AgentDefinition,
	runtime: RuntimeName,
	context: ModelContext,
): Promise<readonly (string | undefined)[]> {
	const isSafe = ({ model }: ModelChoice): boolean =>
		model === undefined || model === OFFLINE_MODEL || model === context.host.parentModel;
	const checkSafe = ({ model }: ModelChoice): string | undefined =>
		model === OFFLINE_MODEL && agent.output ? NO_DATA : undefined;
	if (candidates.every(isSafe)) return candidates.map(checkSafe);
	if (runtime === "pi") {
		const known = (await listKnownModels(context)) ?? [];
		return candidates.map((choice) =>
			isSafe(choice) ? checkSafe(choice) : checkModel(choice.model ?? "", known),
		);
	}
	// A single model is left for the runtime to refuse, in its own words.
	if (candidates.length === 1) return candidates.map(() => undefined);
	if (runtime !== "loop") {
		return candidates.map(({ model = "" }) =>
			canUseModel(runtime, model) ? undefined : `${runtime} cannot use ${model}.`,
		);
	}
	const { checkLoopModel } = await import("../runtimes/loop/resolve-loop-model.ts");
	const place = { env: context.surroundings.env, models: context.config.models };
	return candidates.map(({ model = "" }) => checkLoopModel(model, place));
}

/** Every model a pi child could use; undefined when that cannot be found out. */
async function listKnownModels({ host, surroundings }: ModelContext): Promise<readonly string[] | undefined> {
	if (host.listModels) return host.listModels();
	const { listPiModels } = await import("../runtimes/pi/list-pi-models.ts");
	return listPiModels({ ...surroundings, runningPackage: host.piPackage });
}

function refuseModels(
	{ why }: ChosenModel,
	problems: readonly (string | undefined)[],
	agent: AgentDefinition,
): DelegationError {
	const where = { "asked for": "", "its file": ` in ${agent.file}` }[why] ?? ` in ${why}`;
	const named = problems.length === 1 ? `The model${where}` : `None of the ${problems.length} models${where}`;
	const verb = problems.length === 1 ? "cannot" : "can";
	return new DelegationError("INVALID_INPUT", `${named} ${verb} be used: ${problems.join(" ")}`);
}
