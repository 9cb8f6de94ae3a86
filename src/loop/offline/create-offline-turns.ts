import { asObject, asText, defined, type Environment } from "@deputize/ground";
import type { NavigatorCall, NavigatorToolStep } from "@deputize/navigator";
import { readSurroundings } from "../../config/read-surroundings.ts";
import { FINALIZE_TOOL, isFeedback, TASK_IS_MISSING } from "../../contract/finalization.ts";
import { NO_USAGE } from "../../contract/usage.ts";
import { confineGit } from "../../git/confine-git.ts";
import { createJudge, type Judge } from "../../judge/create-judge.ts";
import { createNavigator } from "../../navigator/create-navigator.ts";
import { parseSandboxProbe } from "../../sandbox/sandbox-probe.ts";
import { LoopError } from "../loop-error.ts";
import type { LoopPayload } from "../parse-payload.ts";
import type { OpenTurn } from "../program-outlet.ts";
import { type HistoryEntry, parseArguments, type ToolCall, type TurnOutcome } from "../providers/provider.ts";
import type { TakeTurn } from "../run-loop.ts";
import type { ToolCaller } from "../tools/create-tool-caller.ts";
import { NAVIGATOR_NAMES, toLoopCall, toNavigatorStep } from "./translate-tools.ts";

/**
 * The embedded model: no language model, a keyword and symbol navigator that drives the same tools. It sees the
 * conversation like any other provider, and remembers nothing by itself.
 */
export function createOfflineTurns(options: {
	readonly payload: Pick<LoopPayload, "child" | "prompt">;
	readonly tools: ToolCaller;
	readonly cwd: string;
	/** Without one there is nothing to search with either. */
	readonly judge?: Judge;
	readonly agentDirectory?: string;
	readonly env?: Environment;
	readonly signal: AbortSignal;
}): TakeTurn {
	const held = new Set(options.tools.declarations.map((tool) => tool.name));
	const translated = Object.entries(NAVIGATOR_NAMES).flatMap(([exec, names]) =>
		held.has(exec) ? names : [],
	);
	const tools = [...new Set([...held, ...translated])];
	const canFinalize = held.has(FINALIZE_TOOL);
	const { cwd, signal, judge = createJudge({ ...readSurroundings({}), cwd }) } = options;
	const navigator = createNavigator({
		cwd,
		judge,
		signal,
		projectTrusted: options.payload.child?.tools?.project_trusted === true,
		...defined({
			agentDirectory: options.agentDirectory,
			env: options.env,
			wrap: confineGit(parseSandboxProbe(options.payload.child?.tools?.sandbox_probe)),
		}),
	});
	let calls = 0;
	if (options.payload.child === undefined && !["grep", "find"].some((name) => tools.includes(name))) {
		throw new LoopError(
			"task_failed",
			`The offline navigator answers by searching files, and "tool_subset" contains ${[...held].join(", ") || "nothing"}. Add bash_ripgrep, bash_find and bash_read to it, or name another provider.`,
		);
	}

	function toCall({ tool, args }: NavigatorCall): ToolCall {
		calls += 1;
		return { id: `offline_${calls}`, name: tool, argumentsText: JSON.stringify(args) };
	}

	return async (everything, turn) => {
		turn.start("offline");
		const history = everything.filter((entry) => entry.kind !== "user" || !isFeedback(entry.text));
		const step = await navigator.plan({
			agent: options.payload.child?.agent ?? "explorer",
			task: findTask(options.payload.prompt, history),
			tools,
			steps: listSteps(history),
			history: listEarlierTasks(history),
			...defined({ verbose: options.payload.child?.verbose }),
		});
		if (step.kind === "call") {
			const asked = step.calls.map((call) => toCall(held.has(call.tool) ? call : toLoopCall(call)));
			return callTools(turn, asked, step.note);
		}
		if (canFinalize) {
			const { kind: _kind, ...finalization } = step;
			return callTools(turn, [toCall({ tool: FINALIZE_TOOL, args: finalization })], "");
		}
		const text = step.result ?? "";
		if (text !== "") turn.text(text);
		if (step.status === "ERROR") throw new LoopError("task_failed", step.error);
		return { text, toolCalls: [], stop: "end", usage: { ...NO_USAGE, turns: 1 } };
	};
}

function callTools(turn: OpenTurn, toolCalls: readonly ToolCall[], note: string): TurnOutcome {
	if (note !== "") turn.reasoning(note);
	for (const call of toolCalls) turn.toolCall(call.id, call.argumentsText, call.name);
	return { text: "", toolCalls, stop: "tools", usage: { ...NO_USAGE, turns: 1 } };
}

/** The prompt, or the task that it is about. */
function findTask(prompt: string, history: readonly HistoryEntry[]): string {
	if (!isFeedback(prompt)) return prompt;
	const asked = history.findLast((entry) => entry.kind === "user");
	if (asked === undefined) throw new LoopError("task_failed", TASK_IS_MISSING);
	return asked.text;
}

/** Everything after the last prompt. */
function listSteps(history: readonly HistoryEntry[]): readonly NavigatorToolStep[] {
	const start = history.findLastIndex((entry) => entry.kind === "user");
	const recent = history.slice(start + 1);
	return recent.flatMap((entry, index) => {
		const next = recent[index + 1];
		if (entry.kind !== "assistant" || next?.kind !== "tools") return [];
		return entry.toolCalls.flatMap((call) => {
			const result = next.results.find((candidate) => candidate.id === call.id);
			const args = parseArguments(call.argumentsText) ?? {};
			return result === undefined ? [] : [toNavigatorStep(call.name, args, result.text, result.isError)];
		});
	});
}

function listEarlierTasks(history: readonly HistoryEntry[]): readonly { task: string; answer: string }[] {
	const earlier: { task: string; answer: string }[] = [];
	for (const entry of history) {
		if (entry.kind === "user") earlier.push({ task: entry.text, answer: "" });
		const last = earlier.at(-1);
		if (entry.kind !== "assistant" || last === undefined) continue;
		const final = entry.toolCalls.find((call) => call.name === FINALIZE_TOOL);
		const result = final === undefined ? "" : asText(asObject(parseArguments(final.argumentsText))["result"]);
		last.answer = result || entry.text || last.answer;
	}
	return earlier.slice(0, -1);
}
