import { canonicalPath, defined } from "@deputize/ground";
import { listProviderVariables } from "../../config/provider-variables.ts";
import type { UserPlace } from "../../config/read-surroundings.ts";
import type { DeputizeConfig } from "../../contract/config.ts";
import { MAX_TIMEOUT_MS } from "../../contract/limits.ts";
import { LIFELINE_VARIABLE, type LoopChildTools, type LoopPayloadJson } from "../../contract/loop.ts";
import { isOfflineModel, OFFLINE_MODEL } from "../../contract/offline-model.ts";
import type { ChildPlan } from "../../contract/plan.ts";
import { listSearchKeyNames } from "../../contract/search-providers.ts";
import { splitModel } from "../../contract/split-model.ts";
import { locateEntryPoint } from "../../entry-points.ts";
import { buildChildEnvironment, usesSearchKeys } from "../build-child-environment.ts";
import { type ChosenConfinement, type ConfinementOptions, chooseConfinement } from "../choose-confinement.ts";
import { nameRunDirectory, startInRunDirectory } from "../run-directory.ts";
import { describeLaunch, type Runtime, type Sharing } from "../runtime.ts";
import { startChild } from "../start-child.ts";
import type { ChildLaunch } from "../start-event-process.ts";
import { startWorker } from "../start-worker.ts";
import { createLoopDialect } from "./create-loop-dialect.ts";
import { describeMissingTools, toLoopTools } from "./map-tools.ts";
import { type LoopModel, resolveLoopModel } from "./resolve-loop-model.ts";

interface LoopRuntimeOptions extends UserPlace {
	readonly config: DeputizeConfig;
}

/** The parent watches the time; the child's own limits only catch a parent that forgets to. */
const CHILD_GRACE_MS = 60_000;
const THINKING_LEVELS = new Set(["medium", "high", "xhigh", "max"]);

export function createLoopRuntime(options: LoopRuntimeOptions): Runtime {
	return {
		name: "loop",
		async describe(plan) {
			const directory = nameRunDirectory(options.agentDirectory);
			return describeLaunch(await describeLoopLaunch(plan, options, directory));
		},
		async prepare(plan, { signal }) {
			return startInRunDirectory(options.agentDirectory, async ({ path, remove }) => {
				const launch = await addKey(await describeLoopLaunch(plan, options, path), options);
				const dialect = {
					...createLoopDialect(launch.model),
					writeTask: (task: string) => writeLoopTask(plan, launch, task, options, path),
					endWhenFinished: false,
					cleanUp: remove,
				};
				return startChild(plan, launch, dialect, signal);
			});
		},
		share: async (plan) => (mayServeInTurn(plan) ? shareProcess(plan, options) : undefined),
	};
}

/** The navigator is our own code, reads only and remembers nothing: one process can do several tasks, never two at once. */
export function mayServeInTurn(plan: ChildPlan): boolean {
	return isOfflineModel(plan.model) && !plan.mayWrite && !plan.worksInLayer;
}

async function shareProcess(plan: ChildPlan, options: LoopRuntimeOptions): Promise<Sharing> {
	const { agentDirectory } = options;
	// Sockets of other programs come and go; those of the moment in which a process starts are closed to it.
	const anywhere = { ...options, listSockets: () => [] };
	const launch = await describeLoopLaunch(plan, anywhere, nameRunDirectory(agentDirectory), "in-turn");
	const { command, args, env, confinement } = launch;
	return {
		launch: JSON.stringify([command, args, env, confinement]),
		start: () =>
			startInRunDirectory(agentDirectory, async ({ path, remove }) => {
				const started = await describeLoopLaunch(plan, options, path, "in-turn");
				return {
					runDirectory: path,
					worker: startWorker(plan, started, { ...createLoopDialect(started.model), cleanUp: remove }),
				};
			}),
		writeTask: (task, runDirectory) => writeLoopTask(plan, launch, task, options, runDirectory),
	};
}

interface Launch extends ChildLaunch, Pick<ChosenConfinement, "probeInside" | "workspace"> {
	readonly model: LoopModel;
	/** What the command of the configuration printed. */
	readonly printedKey?: string;
}

async function describeLoopLaunch(
	plan: ChildPlan,
	options: LoopRuntimeOptions & Pick<ConfinementOptions, "listSockets">,
	runDirectory: string,
	mode: "once" | "in-turn" = "once",
): Promise<Launch> {
	const model = resolveLoopModel(plan.model ?? OFFLINE_MODEL, {
		env: options.env,
		models: options.config.models,
	});
	const args = [
		locateEntryPoint("loop"),
		...(mode === "once"
			? ["--timeout-ms", toChildLimit(plan.limits.timeoutMs)]
			: ["--in-turn", "--timeout-ms", String(MAX_TIMEOUT_MS)]),
		...["--idle-timeout-ms", toChildLimit(plan.limits.idleTimeoutMs)],
	];
	const confined = await chooseConfinement(plan, {
		...options,
		runDirectory,
		sandbox: () => ({
			temporaryDirectory: runDirectory,
			isFiltered: true,
			programs: [],
			// The loop has no settings of its own there: the whole directory is closed to it.
			hidden: [canonicalPath(options.agentDirectory)],
		}),
	});
	const env = buildChildEnvironment({
		env: options.env,
		mayWrite: plan.mayWrite,
		extraNames: [
			...["DEPUTIZE_RESPONSES_DIALECT", "DEPUTIZE_ANTHROPIC_VERSION"],
			// Google's own login program reads its settings from the environment.
			...(model.provider === "vertexai-anthropic" ? listProviderVariables("google-vertex") : []),
		],
		set: {
			PI_SUBAGENT_CHILD: "1",
			PI_SUBAGENT_DEPTH: String(plan.depth + 1),
			...(mode === "once" ? { PI_SUBAGENT_RUN: plan.runId } : {}),
			[LIFELINE_VARIABLE]: "1",
			...confined.set,
		},
	});
	const { confinement, probeInside, workspace } = confined;
	return { ...confined.wrap(process.execPath, args), confinement, probeInside, workspace, env, model };
}

/** Just before the child starts: a description must not run anything. */
async function addKey(launch: Launch, place: UserPlace): Promise<Launch> {
	const { keyCommand, name } = launch.model;
	if (keyCommand === undefined) return launch;
	const { readKeyCommand } = await import("./read-key-command.ts");
	return { ...launch, printedKey: await readKeyCommand(keyCommand, splitModel(name).provider, place) };
}

/** The child takes whole numbers that a timer can wait for; the parent takes any. */
function toChildLimit(limitMs: number): string {
	return String(Math.min(Math.ceil(limitMs) + CHILD_GRACE_MS, MAX_TIMEOUT_MS));
}

function writeLoopTask(
	plan: ChildPlan,
	{
		model,
		probeInside,
		confinement,
		workspace,
		printedKey,
	}: Omit<Launch, keyof ChildLaunch> & Pick<Launch, "confinement">,
	task: string,
	options: LoopRuntimeOptions,
	runDirectory: string,
): string {
	const missing = describeMissingTools(plan);
	const payload: LoopPayloadJson = {
		model: model.model,
		provider: model.provider,
		url: model.url,
		api_key_name: model.apiKeyName,
		prompt: task,
		system_prompt: missing === "" ? plan.systemPrompt : `${plan.systemPrompt}\n\n${missing}`,
		tool_subset: toLoopTools(plan),
		think: THINKING_LEVELS.has(plan.thinkingLevel ?? "off"),
		...defined({ max_tokens: model.maxTokens, max_turns: plan.bounds?.maxTurns }),
		child: {
			agent: plan.agent.name,
			finalize: {
				mode: plan.finalize.mode,
				max_corrections: plan.finalize.maxCorrections,
				...defined({ output: plan.agent.output }),
			},
			session: plan.session,
			model_prefix: model.name.slice(0, model.name.length - model.model.length),
			...defined({
				price: model.price,
				headers: model.headers,
				context_length: model.contextLength,
				verbose: plan.verbose,
			}),
			keys: { ...takeKeys(plan, model, options), ...(printedKey && { [model.apiKeyName]: printedKey }) },
			tools: {
				...toChildTools(plan, options, runDirectory),
				...defined({ sandbox_probe: probeInside, workspace }),
				confined: confinement === "os-sandbox",
			},
		},
	};
	return JSON.stringify(payload);
}

/** Of the model, and of search services where the child may search. */
function takeKeys(
	plan: ChildPlan,
	{ apiKeyName }: LoopModel,
	{ env, config }: LoopRuntimeOptions,
): Readonly<Record<string, string>> {
	const names = [apiKeyName, ...(plan.tools.some(usesSearchKeys) ? listSearchKeyNames(config.web) : [])];
	return Object.fromEntries(names.flatMap((name) => (env[name] === undefined ? [] : [[name, env[name]]])));
}

function toChildTools(plan: ChildPlan, options: LoopRuntimeOptions, runDirectory: string): LoopChildTools {
	const { web, convert, lsp } = options.config;
	return {
		web,
		convert,
		lsp,
		lsp_actions: plan.lspActions,
		...defined({ lsp_socket: plan.lspSocket }),
		project_trusted: plan.projectTrust === "trusted",
		files: plan.fileRules,
		agent_directory: options.agentDirectory,
		run_directory: runDirectory,
	};
}
