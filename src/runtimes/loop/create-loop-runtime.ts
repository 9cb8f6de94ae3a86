import type { DeputizeConfig } from "../../contract/config.ts";
import type { ChildEnd, ChildEvent } from "../../contract/event.ts";
import { LIMITS } from "../../contract/limits.ts";
import { LIFELINE_VARIABLE, type LoopPayloadJson } from "../../contract/loop.ts";
import type { ChildPlan } from "../../contract/plan.ts";
import { readExit } from "../../process/read-exit.ts";
import { type ProcessEnding, type SupervisedProcess, startProcess } from "../../process/start-process.ts";
import { buildChildEnvironment } from "../build-child-environment.ts";
import type { PreparedChild, Runtime } from "../runtime.ts";
import { type ConfinedCommand, confineLoopChild } from "./confine-loop-child.ts";
import { LOOP_PROGRAM } from "./loop-program.ts";
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
			return startChild(plan, launch, (task) => buildPayload(plan, launch.model, task, options), signal);
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
		LOOP_PROGRAM,
		...["--timeout-ms", String(plan.limits.timeoutMs + CHILD_GRACE_MS)],
		...["--idle-timeout-ms", String(plan.limits.idleTimeoutMs + CHILD_GRACE_MS)],
	];
	const confined = await confineLoopChild(plan, process.execPath, args, options);
	const { searxng, brave, tavily, exa, serper, perplexity, jina } = options.config.web;
	const searchKeys = [searxng, brave, tavily, exa, serper, perplexity, jina].map(
		({ apiKeyEnv }) => apiKeyEnv,
	);
	const env = buildChildEnvironment({
		env: options.env,
		mayWrite: plan.mayWrite,
		extraNames: [model.apiKeyName, ...searchKeys, "DEPUTIZE_RESPONSES_DIALECT", "DEPUTIZE_ANTHROPIC_VERSION"],
		set: {
			PI_SUBAGENT_CHILD: "1",
			PI_SUBAGENT_DEPTH: String(plan.depth + 1),
			[LIFELINE_VARIABLE]: "1",
		},
	});
	return { ...confined, env, model };
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

function startChild(
	plan: ChildPlan,
	launch: Launch,
	buildInput: (task: string) => LoopPayloadJson,
	signal: AbortSignal | undefined,
): PreparedChild {
	let listener: (event: ChildEvent) => void = () => undefined;
	const holds = new Map<string, () => void>();
	const child: SupervisedProcess = startProcess({
		command: launch.command,
		args: launch.args,
		cwd: plan.cwd,
		env: launch.env,
		...(signal === undefined ? {} : { signal }),
		limits: { ...LIMITS, ...plan.limits },
		onLine(line) {
			// Every line is a part of an answer: reasoning and arguments count, though they are not events of the contract.
			child.noteActivity();
			const event = parseLoopEvent(line);
			if (event === undefined) return;
			followHold(event, child, holds);
			listener(event);
			if (event.type === "settled") child.finish();
		},
	});
	const ended = child.ended.finally(() => {
		for (const release of holds.values()) release();
	});
	return {
		pid: child.pid,
		confinement: launch.confinement,
		async run(task, onEvent) {
			listener = onEvent;
			onEvent({ type: "child-start", pid: child.pid });
			child.sendInput(JSON.stringify(buildInput(task)));
			const end = toChildEnd(await ended);
			onEvent(end);
			return end;
		},
		async discard() {
			child.stop();
			await ended;
		},
	};
}

/** A tool that runs, and the wait before a retry, are not idleness. */
function followHold(event: ChildEvent, child: SupervisedProcess, holds: Map<string, () => void>): void {
	if (event.type === "tool-start") holds.set(`tool ${event.id}`, child.holdIdle());
	if (event.type === "backoff-start") holds.set("backoff", child.holdIdle());
	const over = event.type === "tool-end" ? `tool ${event.id}` : event.type === "backoff-end" ? "backoff" : "";
	holds.get(over)?.();
	holds.delete(over);
}

function toChildEnd(ending: ProcessEnding): ChildEnd {
	return {
		type: "child-end",
		reason: ending.reason === "finished" ? "settled" : ending.reason,
		...readExit(ending),
		...(ending.message === undefined ? {} : { message: ending.message }),
		...(ending.errorCode === undefined ? {} : { errorCode: ending.errorCode }),
		stderrTail: ending.stderrTail,
		skippedOutput: ending.skippedLines > 0,
		durationMs: ending.durationMs,
	};
}
