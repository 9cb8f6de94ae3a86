import { listProviderVariables } from "../../config/provider-variables.ts";
import type { DeputizeConfig } from "../../contract/config.ts";
import { MAX_TIMEOUT_MS } from "../../contract/limits.ts";
import { LIFELINE_VARIABLE, type LoopPayloadJson } from "../../contract/loop.ts";
import type { ChildPlan } from "../../contract/plan.ts";
import { locateEntryPoint } from "../../entry-points.ts";
import { buildChildEnvironment } from "../build-child-environment.ts";
import type { Runtime } from "../runtime.ts";
import { startChild } from "../start-child.ts";
import { usesSearchKeys } from "../uses-search-keys.ts";
import { type ConfinedCommand, confineLoopChild } from "./confine-loop-child.ts";
import { describeToolNames, toLoopTools } from "./map-tools.ts";
import { parseLoopEvent } from "./parse-loop-event.ts";
import { type LoopModel, resolveLoopModel } from "./resolve-loop-model.ts";

export interface LoopRuntimeOptions {
	readonly env: Readonly<Record<string, string | undefined>>;
	readonly home: string;
	readonly agentDirectory: string;
	readonly config: DeputizeConfig;
}

/** The parent watches the time; the child's own limits only catch a parent that forgets to. */
const CHILD_GRACE_MS = 60_000;
const THINKING_LEVELS = new Set(["medium", "high", "xhigh", "max"]);

export function createLoopRuntime(options: LoopRuntimeOptions): Runtime {
	return {
		name: "loop",
		async describe(plan) {
			const launch = await describeLaunch(plan, options);
			return {
				command: launch.command,
				args: launch.args,
				confinement: launch.confinement,
				environmentNames: Object.keys(launch.env).sort(),
			};
		},
		async prepare(plan, { signal }) {
			const launch = await describeLaunch(plan, options);
			return startChild(
				plan,
				launch,
				{
					// Every line is a part of an answer: reasoning and arguments count, though they are not events of the contract.
					readLine(line) {
						const event = parseLoopEvent(line);
						return { isActivity: true, events: event ? [event] : [] };
					},
					// The program repeats nothing: whatever was too long is missing.
					readSkippedLine: () => ({ events: [], lost: "a part of its output" }),
					writeTask: (task) => JSON.stringify(buildPayload(plan, launch.model, task, options)),
					endWhenFinished: false,
				},
				signal,
			);
		},
	};
}

interface Launch extends ConfinedCommand {
	readonly env: Readonly<Record<string, string>>;
	readonly model: LoopModel;
}

async function describeLaunch(plan: ChildPlan, options: LoopRuntimeOptions): Promise<Launch> {
	const model = resolveLoopModel(plan.model, options.env);
	const args = [
		locateEntryPoint("loop"),
		...["--timeout-ms", toChildLimit(plan.limits.timeoutMs)],
		...["--idle-timeout-ms", toChildLimit(plan.limits.idleTimeoutMs)],
	];
	const confined = await confineLoopChild(plan, process.execPath, args, options);
	const { searxng, brave, tavily, exa, serper, perplexity, jina } = options.config.web;
	const searchKeys = [searxng, brave, tavily, exa, serper, perplexity, jina].map(
		({ apiKeyEnv }) => apiKeyEnv,
	);
	const env = buildChildEnvironment({
		env: options.env,
		mayWrite: plan.mayWrite,
		extraNames: [
			model.apiKeyName,
			...(plan.tools.some(usesSearchKeys) ? searchKeys : []),
			...["DEPUTIZE_RESPONSES_DIALECT", "DEPUTIZE_ANTHROPIC_VERSION"],
			// Google's own login program reads its settings from the environment.
			...(model.provider === "vertexai-anthropic" ? listProviderVariables("google-vertex") : []),
		],
		set: {
			PI_SUBAGENT_CHILD: "1",
			PI_SUBAGENT_DEPTH: String(plan.depth + 1),
			[LIFELINE_VARIABLE]: "1",
		},
	});
	return { ...confined, env, model };
}

/** The child takes whole numbers that a timer can wait for; the parent takes any. */
function toChildLimit(limitMs: number): string {
	return String(Math.min(Math.ceil(limitMs) + CHILD_GRACE_MS, MAX_TIMEOUT_MS));
}

function buildPayload(
	plan: ChildPlan,
	model: LoopModel,
	task: string,
	options: LoopRuntimeOptions,
): LoopPayloadJson {
	const toolNames = describeToolNames(plan.tools);
	return {
		model: model.model,
		provider: model.provider,
		url: model.url,
		api_key_name: model.apiKeyName,
		prompt: task,
		system_prompt: toolNames === "" ? plan.systemPrompt : `${plan.systemPrompt}\n\n${toolNames}`,
		tool_subset: toLoopTools(plan.tools),
		think: THINKING_LEVELS.has(plan.thinkingLevel ?? "off"),
		...(model.maxTokens === undefined ? {} : { max_tokens: model.maxTokens }),
		child: {
			agent: plan.agent.name,
			finalize: { mode: plan.finalize.mode, max_corrections: plan.finalize.maxCorrections },
			session: plan.session,
			...(model.price === undefined ? {} : { price: model.price }),
			web: options.config.web,
		},
	};
}
