import { defined, findProject } from "@deputize/ground";
import { readProjectTrust } from "../agents/read-project-trust.ts";
import { loadConfig } from "../config/load-config.ts";
import { readSurroundings, type Surroundings } from "../config/read-surroundings.ts";
import type { DeputizeConfig } from "../contract/config.ts";
import { DelegationError } from "../contract/error-codes.ts";
import { explainBundledPackage } from "../entry-points.ts";
import { explainWorkingDirectory } from "../process/explain-spawn-error.ts";
import { withoutProject } from "../process/without-project.ts";
import type { DelegateOptions, DelegationHost } from "./delegate-options.ts";
import { DEFAULT_PARENT_TOOLS, type ParentTools } from "./filter-tools.ts";
import { CONFIG_LIMIT_NAMES, type LimitNames, type OptionNames } from "./limit-names.ts";
import { parseDelegateOptions } from "./parse-delegate-options.ts";

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
	/** pi's saved decision about the project, and what counts for this delegation. */
	readonly savedTrust: boolean | undefined;
	readonly projectTrust: boolean | undefined;
	/** What the options are called at this door. */
	readonly optionNames: OptionNames;
	/** The names of the settings that change the limits, for messages. */
	readonly limitNames: LimitNames;
}

export function createDelegationContext(
	asked: DelegateOptions,
	given: Surroundings = readSurroundings(parseDelegateOptions(asked).options.env),
): DelegationContext {
	const { options, cwd, refusal } = parseDelegateOptions(asked);
	if (refusal !== undefined) throw refusal;
	refuseBundledPackage();
	refuseUnusableDirectory(cwd);
	const { agentDirectory } = given;
	const host = options.host ?? {};
	const savedTrust = readProjectTrust(cwd, agentDirectory);
	const projectTrust = savedTrust ?? host.projectTrust;
	const loaded = options.config
		? { config: options.config, notices: [] }
		: loadOrRefuse(cwd, agentDirectory, projectTrust);
	const config = limitTimes(loaded.config, options);
	const surroundings = chooseSurroundings(given, { cwd, config, projectTrust });
	const optionNames = host.optionNames ?? OPTION_NAMES;
	return {
		cwd,
		surroundings,
		config,
		notices: loaded.notices,
		host,
		options,
		parentTools: host.parentTools ?? DEFAULT_PARENT_TOOLS,
		savedTrust,
		projectTrust,
		optionNames,
		limitNames: nameLimits(options, optionNames),
	};
}

/** Nobody starts a program of a project that is not trusted. Where children may write, their commands are the user's own. */
function chooseSurroundings(
	given: Surroundings,
	{ cwd, config, projectTrust }: Pick<DelegationContext, "cwd" | "config" | "projectTrust">,
): Surroundings {
	if (projectTrust === true || config.subagents.allowWrite) return given;
	return { ...given, env: withoutProject(given.env, findProject(cwd, given.home)) };
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

/** The programs that this package starts are files beside its code: a bundler takes only the code. */
function refuseBundledPackage(): void {
	const problem = explainBundledPackage();
	if (problem) throw new DelegationError("SUBAGENT_FAILED", problem);
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
	return { ...config, subagents: { ...config.subagents, ...defined({ timeoutMs, idleTimeoutMs }) } };
}
