import { dirname, resolve } from "node:path";
import { defined, isInside } from "@deputize/ground";
import { openApprovedAgents } from "../agents/approved-agents.ts";
import { readProjectTrust } from "../agents/read-project-trust.ts";
import { findCredentials } from "../config/find-credentials.ts";
import { loadConfig } from "../config/load-config.ts";
import { readSurroundings, type Surroundings } from "../config/read-surroundings.ts";
import type { AgentDefinition, RuntimeName } from "../contract/agent.ts";
import type { DeputizeConfig } from "../contract/config.ts";
import { DelegationError } from "../contract/error-codes.ts";
import { listSearchKeyNames } from "../contract/search-providers.ts";
import { explainWorkingDirectory } from "../process/explain-spawn-error.ts";
import { canUseModel, keepUsable } from "../runtimes/can-use-model.ts";
import type { Runtime } from "../runtimes/runtime.ts";
import type { TrustOptions } from "./check-agent-trust.ts";
import { type ModelRequest, OFFLINE_MODEL } from "./choose-model.ts";
import { type ChosenRuntime, chooseRuntime } from "./choose-runtime.ts";
import type { DelegateOptions, DelegationHost } from "./delegate-options.ts";
import { DEFAULT_PARENT_TOOLS, grantTools, type ParentTools } from "./filter-tools.ts";
import { CONFIG_LIMIT_NAMES, type LimitNames, type OptionNames } from "./limit-names.ts";

/** Everything the stages need, gathered once. */
export interface DelegationContext {
	readonly cwd: string;
	readonly surroundings: Surroundings;
	readonly config: DeputizeConfig;
	/** Notes about the configuration for the user. */
	readonly notices: readonly string[];
	readonly host: DelegationHost;
	readonly options: DelegateOptions;
	readonly parentTools: ParentTools;
	readonly projectTrust: boolean | undefined;
	/** The names of the settings that change the limits, for messages. */
	readonly limitNames: LimitNames;
	trustOptions(agent: AgentDefinition): TrustOptions;
	modelRequest(agent: AgentDefinition): ModelRequest;
	/** Every model a pi child could use; undefined when that cannot be found out. */
	listModels(): Promise<readonly string[] | undefined>;
	runtimeName(agent: AgentDefinition): RuntimeName;
	/** A line for the user when it is not the default. */
	runtimeNotice(agent: AgentDefinition): string | undefined;
	runtime(agent: AgentDefinition): Promise<Runtime>;
}

export function createDelegationContext(
	options: DelegateOptions,
	surroundings: Surroundings = readSurroundings(options.env),
): DelegationContext {
	const cwd = resolve(options.cwd ?? process.cwd());
	refuseUnusableDirectory(cwd);
	const { env, agentDirectory } = surroundings;
	const host = options.host ?? {};
	const savedTrust = readProjectTrust(cwd, agentDirectory);
	const projectTrust = savedTrust ?? host.projectTrust;
	const loaded = options.config
		? { config: options.config, notices: [] }
		: loadOrRefuse(cwd, agentDirectory, projectTrust);
	const config = limitTimes(loaded.config, options);
	const optionNames = host.optionNames ?? OPTION_NAMES;
	const choose = (agent: AgentDefinition): ChosenRuntime =>
		chooseRuntime(agent, {
			requested: options.runtime,
			configured: config.subagents.runtime,
			model: options.offline ? OFFLINE_MODEL : options.model,
			env,
			cwd,
			home: surroundings.home,
			piPackage: host.piPackage,
			callingClient: host.callingClient,
		});
	const runtimeName = (agent: AgentDefinition): RuntimeName => choose(agent).name;
	const parentTools = host.parentTools ?? DEFAULT_PARENT_TOOLS;
	return {
		cwd,
		surroundings,
		config,
		notices: loaded.notices,
		host,
		options,
		parentTools,
		projectTrust,
		limitNames: nameLimits(options, optionNames),
		trustOptions(agent) {
			// Agents are also discovered above the project, so a decision counts only where it covers the agent's file.
			const isCoveredBySession = projectTrust === true && isInside(cwd, agent.file);
			return {
				policy: config.subagents.projectAgents,
				// In a non-interactive mode "not trusted" only means that nobody was asked, so only a yes counts here.
				projectTrust:
					savedTrust === false
						? false
						: (readProjectTrust(dirname(agent.file), agentDirectory) ?? (isCoveredBySession || undefined)),
				...openApprovedAgents(agentDirectory),
				...defined({
					builtinOption: optionNames.builtin,
					confirm:
						host.confirmAgent &&
						((asked: AgentDefinition) =>
							host.confirmAgent?.(asked, grantTools(asked, config, parentTools)) ?? Promise.resolve(false)),
				}),
			};
		},
		async listModels() {
			if (host.listModels) return host.listModels();
			const { listPiModels } = await import("../runtimes/pi/list-pi-models.ts");
			return listPiModels({ env, home: surroundings.home, runningPackage: host.piPackage });
		},
		modelRequest: (agent) => ({
			...(options.model ? { requested: options.model } : {}),
			...(host.parentModel && canUseModel(runtimeName(agent), host.parentModel)
				? { parentModel: host.parentModel }
				: {}),
			...(host.parentThinkingLevel ? { parentThinkingLevel: host.parentThinkingLevel } : {}),
			...(options.offline ? { offline: true } : {}),
			configured: { ...config.subagents, model: keepUsable(runtimeName(agent), config.subagents.model) },
			hasCredentials:
				// Another agent's program has its own login and reports it when that is missing.
				["claude", "codex"].includes(runtimeName(agent)) ||
				findCredentials({ env, agentDirectory }).length > 0 ||
				(runtimeName(agent) === "loop" && Boolean(env["DEPUTIZE_LOOP_URL"])),
		}),
		runtimeName,
		runtimeNotice: (agent) => choose(agent).notice,
		runtime: (agent) => createRuntime(runtimeName(agent), surroundings, config, host),
	};
}

const OPTION_NAMES: OptionNames = {
	builtin: "the option builtinOnly",
	timeoutMs: "the option timeoutMs",
	idleTimeoutMs: "the option idleTimeoutMs",
};

function nameLimits(options: DelegateOptions, names: LimitNames): LimitNames {
	const { timeoutMs, idleTimeoutMs } = CONFIG_LIMIT_NAMES;
	return {
		timeoutMs: options.timeoutMs === undefined ? timeoutMs : names.timeoutMs,
		idleTimeoutMs: options.idleTimeoutMs === undefined ? idleTimeoutMs : names.idleTimeoutMs,
	};
}

function refuseUnusableDirectory(cwd: string): void {
	const problem = explainWorkingDirectory(cwd);
	if (problem) throw new DelegationError("SUBAGENT_FAILED", problem.message);
}

/** An invalid value must not silently fall back to another one, least of all before a child starts. */
function loadOrRefuse(
	cwd: string,
	agentDirectory: string,
	trusted: boolean | undefined,
): { readonly config: DeputizeConfig; readonly notices: readonly string[] } {
	const { config, problems } = loadConfig({ cwd, agentDirectory, projectTrusted: trusted === true });
	const wrong = problems.filter((problem) => problem.severity === "error");
	if (wrong.length > 0) {
		throw new DelegationError(
			"INVALID_INPUT",
			`The configuration is wrong: ${wrong.map((problem) => problem.message).join("; ")}. Correct ${wrong[0]?.file}.`,
		);
	}
	return { config, notices: problems.map(({ message, file }) => `In ${file}: ${message}`) };
}

function limitTimes(config: DeputizeConfig, { timeoutMs, idleTimeoutMs }: DelegateOptions): DeputizeConfig {
	const times = defined({ timeoutMs, idleTimeoutMs });
	for (const [name, value] of Object.entries(times)) {
		if (Number.isFinite(value) && value >= 1) continue;
		throw new DelegationError(
			"INVALID_INPUT",
			`${name} must be a number of milliseconds of at least 1, not ${String(value)}.`,
		);
	}
	return { ...config, subagents: { ...config.subagents, ...times } };
}

/** Loaded on demand: a process that uses one runtime never pays for loading the others. */
async function createRuntime(
	name: RuntimeName,
	surroundings: Surroundings,
	config: DeputizeConfig,
	host: DelegationHost,
): Promise<Runtime> {
	if (name === "loop") {
		const { createLoopRuntime } = await import("../runtimes/loop/create-loop-runtime.ts");
		return createLoopRuntime({ ...surroundings, config, workers: host.loopWorkers });
	}
	if (name === "claude" || name === "codex") {
		const [{ createProgramRuntime }, { AGENT_PROGRAMS }] = await Promise.all([
			import("../runtimes/program/create-program-runtime.ts"),
			import("../runtimes/agent-programs.ts"),
		]);
		return createProgramRuntime(AGENT_PROGRAMS[name], surroundings);
	}
	const { createPiRuntime } = await import("../runtimes/pi/create-pi-runtime.ts");
	return createPiRuntime({
		...surroundings,
		runningPiPackage: host.piPackage,
		searchKeyNames: listSearchKeyNames(config.web),
	});
}
