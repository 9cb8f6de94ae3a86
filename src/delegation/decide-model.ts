import { defined } from "@deputize/ground";
import { toNameList } from "../agents/parse-frontmatter.ts";
import type { AgentDefinition, RuntimeName } from "../contract/agent.ts";
import { isOfflineModel, OFFLINE_MODEL } from "../contract/offline-model.ts";
import type { ModelChoice } from "../contract/plan.ts";
import { splitModel } from "../contract/split-model.ts";
import { splitThinking } from "../contract/thinking.ts";
import { canUseModel, isProgram, keepUsable, type ProgramName } from "../runtimes/can-use-model.ts";
import {
	checkLoopModel,
	findAddressName,
	findKeyDefault,
	findLocalDefault,
	isOwnService,
	listKeysWithoutModel,
	refuseModel,
	resolveLoopModel,
	type ServicePlace,
} from "../runtimes/loop/resolve-loop-model.ts";
import type { NoPiError } from "../runtimes/pi/find-pi.ts";

/** What is on this machine that decides which model answers. `gatherModelFacts` looks. */
export interface ModelFacts extends ServicePlace {
	/** pi: the program around us, one that could be started, or why there is none. */
	readonly pi: "around us" | "installed" | Pick<NoPiError, "why" | "gain">;
	/** Providers that pi has a key or a login for. */
	readonly piProviders: readonly string[];
	/** The one whose model pi takes when none is named. */
	readonly piDefault?: string | undefined;
	/** Providers whose address is in pi's own `models.json`. */
	readonly piAddresses: readonly string[];
	/** Programs of other agents that are on PATH and logged in. */
	readonly programs: readonly ProgramName[];
	/** The program of the client that calls, when it can be a child. */
	readonly clientProgram?: ProgramName | undefined;
}

/** What was asked for, and by whom. */
export interface ModelWishes {
	/** Asked for in this call, such as `--runtime`. */
	readonly requestedRuntime?: RuntimeName | undefined;
	/** `subagents.runtime`. */
	readonly runtime: RuntimeName | "auto";
	/** Asked for in this call, such as `--model`; several are separated by commas. */
	readonly requestedModel?: string | undefined;
	readonly offline?: boolean | undefined;
	/** `subagents.model` and `subagents.thinking`. */
	readonly model: string;
	readonly thinking: string;
	/** The parent's model as `provider/id`, and its thinking level. */
	readonly parentModel?: string | undefined;
	readonly parentThinkingLevel?: string | undefined;
}

export interface ChosenRuntime {
	readonly name: RuntimeName;
	/** For a person. */
	readonly why: string;
	/** A line for the person when it is not the usual one. */
	readonly notice?: string;
}

export interface ChosenModel extends ModelChoice {
	/** Where the choice comes from, for the user. */
	readonly why: string;
	/** The name was written by someone and may be wrong. */
	readonly isNamed: boolean;
	/** What the run falls back on, in this order. */
	readonly fallbacks: readonly ModelChoice[];
	/** A line for the user when no language model will answer. */
	readonly notice?: string;
}

type DecidingAgent = Pick<AgentDefinition, "runtime" | "model" | "fallbackModels" | "modelFrom" | "thinking">;

/**
 * Which model answers, in which runtime, and why. Everything that runs, describes or lists a child asks here, so that no
 * report can differ from a run. Throws a `DelegationError` where nothing could be started.
 */
export function decideModel(
	agent: DecidingAgent,
	wishes: ModelWishes,
	facts: ModelFacts,
): { readonly runtime: ChosenRuntime; readonly model: ChosenModel } {
	const runtime = decideRuntime(agent, wishes, facts);
	return { runtime, model: chooseModel(agent, wishes, facts, runtime.name) };
}

function decideRuntime(agent: DecidingAgent, wishes: ModelWishes, facts: ModelFacts): ChosenRuntime {
	if (wishes.requestedRuntime !== undefined) return { name: wishes.requestedRuntime, why: "asked for" };
	if (agent.runtime !== undefined) return { name: agent.runtime, why: "the agent's file" };
	if (wishes.runtime !== "auto") return { name: wishes.runtime, why: "subagents.runtime" };
	const asked = listAsked(agent, wishes);
	const { clientProgram: own, env, pi } = facts;
	if (own !== undefined && pi !== "around us" && asked.every((name) => canUseModel(own, name)))
		return { name: own, why: `${own} calls, and is logged in here` };
	const [wanted] = asked.length > 0 ? asked : toNameList(readVariable(facts) || wishes.model);
	const variable = ["DEPUTIZE_LOOP_URL", "DEPUTIZE_LOOP_MODEL"].find((name) => env[name]?.trim());
	if (pi !== "around us" && variable && !isOfflineModel(wanted) && canLoop(wanted, facts))
		return { name: "loop", why: `${variable} is set` };
	if (typeof pi !== "string") return withoutPi(wanted, asked, facts, pi);
	if (wanted !== undefined && isOwnService(wanted, facts) && !knowsInPi(wanted, facts))
		return { name: "loop", why: `${splitModel(wanted).provider} is a server of your own` };
	if (pi === "around us") return { name: "pi", why: "this is pi" };
	const ignored = findIgnoredAddress(wanted, facts);
	const stand = wanted ?? findKeyDefault(facts)?.name;
	if (ignored && stand !== undefined && canLoop(stand, facts))
		return { name: "loop", why: `${ignored} is set, which pi does not use` };
	if (wanted !== undefined || facts.piProviders.length > 0) return { name: "pi", why: "pi is installed" };
	return findOther(facts) ?? { name: "pi", why: "pi is installed" };
}

/** Our own program when it can do it, else the program of another agent that can. */
function withoutPi(
	wanted: string | undefined,
	asked: readonly string[],
	facts: ModelFacts,
	{ why, gain }: Pick<NoPiError, "why" | "gain">,
): ChosenRuntime {
	const loop: ChosenRuntime = {
		name: "loop",
		why,
		notice: `${why}: the agent runs without it (--runtime loop). ${gain}`,
	};
	if (wanted === undefined) return findKeyDefault(facts) ? loop : (findOther(facts) ?? loop);
	if ([wanted, ...asked].some((name) => canLoop(name, facts))) return loop;
	const able = facts.programs.find((name) => splitModel(wanted).provider !== "" && canUseModel(name, wanted));
	return able === undefined ? loop : { name: able, why: `${able} has ${wanted}, and is logged in here` };
}

/** What can answer when nobody named a model and pi has neither a key nor a login. */
function findOther(facts: ModelFacts): ChosenRuntime | undefined {
	const [program] = facts.programs;
	if (program !== undefined) return { name: program, why: `${program} is logged in here` };
	const local = findLocalDefault(facts);
	return local && { name: "loop", why: local.why };
}

/** Names that somebody wrote for this agent or call, rather than for all of them. */
function listAsked(agent: DecidingAgent, { offline, requestedModel }: ModelWishes): readonly string[] {
	if (offline) return [OFFLINE_MODEL];
	const requested = toNameList(requestedModel ?? "");
	return (requested.length > 0 || agent.model === undefined ? requested : [agent.model]).map(
		(name) => toChoice(name, undefined).model ?? name,
	);
}

/** Without its own model the variable counts, which wins over the file. */
function readVariable({ env }: ModelFacts): string {
	return env["DEPUTIZE_LOOP_MODEL"]?.trim() ?? "";
}

function canLoop(named: string | undefined, facts: ModelFacts): boolean {
	return named === undefined || checkLoopModel(named, facts) === undefined;
}

function knowsInPi(named: string, { piProviders, piAddresses }: ModelFacts): boolean {
	const { provider } = splitModel(named);
	return piProviders.includes(provider) || piAddresses.includes(provider);
}

/** A variable with the address of a gateway or a server that pi would pass by. pi reads only its own file, and Azure's. */
function findIgnoredAddress(
	named: string | undefined,
	{ env, piDefault, piAddresses }: ModelFacts,
): string | undefined {
	const provider = named === undefined ? (piDefault ?? "") : splitModel(named).provider;
	return provider === "azure" || piAddresses.includes(provider) ? undefined : findAddressName(provider, env);
}

/**
 * The model that was requested, or the agent's, the variable's, the configuration's, the parent's, the runtime's default, or the
 * embedded navigator, in this order.
 */
function chooseModel(
	agent: DecidingAgent,
	wishes: ModelWishes,
	facts: ModelFacts,
	runtime: RuntimeName,
): ChosenModel {
	const thinking = agent.thinking ?? (wishes.thinking === "inherit" ? undefined : wishes.thinking);
	if (wishes.offline) return alone({ model: OFFLINE_MODEL }, "asked for");
	for (const [names, why] of listModelSources(agent, wishes, facts, runtime)) {
		const [first, ...fallbacks] = names.map((name) => toFullName(toChoice(name, thinking), facts, runtime));
		if (first === undefined) continue;
		refuseIgnoredAddress(first.model, facts, runtime);
		return { ...first, why, isNamed: true, fallbacks };
	}
	const { parentModel } = wishes;
	if (parentModel && canUseModel(runtime, parentModel)) {
		const thinkingLevel = thinking ?? wishes.parentThinkingLevel;
		return alone(defined({ model: parentModel, thinkingLevel }), "the main agent's");
	}
	return chooseDefault(defined({ thinkingLevel: thinking }), facts, runtime);
}

function listModelSources(
	agent: DecidingAgent,
	wishes: ModelWishes,
	facts: ModelFacts,
	runtime: RuntimeName,
): readonly (readonly [names: readonly string[], why: string])[] {
	const ofAgent = agent.model === undefined ? [] : [agent.model, ...(agent.fallbackModels ?? [])];
	return [
		[toNameList(wishes.requestedModel ?? ""), "asked for"],
		[ofAgent, agent.modelFrom ?? "its file"],
		[runtime === "loop" ? toNameList(readVariable(facts)) : [], "DEPUTIZE_LOOP_MODEL"],
		[toNameList(keepUsable(runtime, wishes.model)), "subagents.model"],
	];
}

function chooseDefault(level: ModelChoice, facts: ModelFacts, runtime: RuntimeName): ChosenModel {
	// Another agent's program has its own login and reports it when that is missing.
	if (isProgram(runtime)) return alone(level, `${runtime}'s default`);
	if (runtime === "pi") {
		if (facts.piProviders.length === 0) return chooseNavigator(facts);
		refuseIgnoredAddress(undefined, facts, runtime);
		return alone(level, "pi's default");
	}
	if (facts.env["DEPUTIZE_LOOP_URL"]?.trim())
		throw refuseModel(
			"DEPUTIZE_LOOP_URL is set but no model is named; set DEPUTIZE_LOOP_MODEL or pass --model",
		);
	const found = findKeyDefault(facts) ?? findLocalDefault(facts);
	return found === undefined ? chooseNavigator(facts) : alone({ ...level, model: found.name }, found.why);
}

/** Outside pi the user's address counts, or nothing runs: code must not go past a gateway that the user named. */
function refuseIgnoredAddress(named: string | undefined, facts: ModelFacts, runtime: RuntimeName): void {
	const ignored = runtime === "pi" && facts.pi !== "around us" && findIgnoredAddress(named, facts);
	if (ignored)
		throw refuseModel(
			`${ignored} is set, and pi would send its requests past that address. Use --runtime loop, set the address in pi's models.json, or unset ${ignored}`,
		);
}

function chooseNavigator(facts: ModelFacts): ChosenModel {
	const keys = listKeysWithoutModel(facts);
	const { pi, piProviders } = facts;
	const why = typeof pi === "string" ? "only pi can use them (--runtime pi)" : pi.why;
	const withoutPi =
		piProviders.length > 0
			? [`pi has credentials (${[...new Set(piProviders)].join(", ")}), but ${why}`]
			: [];
	const found = keys.length > 0 ? keys : withoutPi;
	const what = "the embedded offline navigator answers by keyword and symbol search, not by a language model";
	return {
		...alone({ model: OFFLINE_MODEL }, found.length > 0 ? "no model is named" : "no credentials were found"),
		notice:
			found.length > 0
				? `${found.join("; ")}. So ${what}.`
				: `No model credentials were found: ${what}. Looked for a key such as ANTHROPIC_API_KEY or OPENAI_API_KEY, a login of pi, Claude Code or Codex, and a server under "models" in deputize.json. deputize init proposes what is here; --model names a model, such as ollama/qwen3:8b.`,
	};
}

function alone(choice: ModelChoice, why: string): ChosenModel {
	return { ...choice, why, isNamed: false, fallbacks: [] };
}

/** A thinking level after the name applies to that model only, and wins. */
function toChoice(name: string, thinking: string | undefined): ModelChoice {
	if (name === "offline" || name === OFFLINE_MODEL) return { model: OFFLINE_MODEL };
	return defined({ thinkingLevel: thinking, ...splitThinking(name) });
}

/** With the service that a name alone leaves out, where only one can be meant. */
function toFullName(choice: ModelChoice, facts: ModelFacts, runtime: RuntimeName): ModelChoice {
	const { model } = choice;
	const isUsable = runtime === "loop" && model !== undefined && canLoop(model, facts);
	return isUsable ? { ...choice, model: resolveLoopModel(model, facts).name } : choice;
}
