import {
	asObject,
	asText,
	defined,
	type Environment,
	explainCurrentDirectory,
	isObject,
	isTextList,
	lastLine,
	parseJsonObject,
} from "@deputize/ground";
import { collectSecrets, sanitizeOutput } from "@deputize/redaction";
import { readSurroundings } from "../../config/read-surroundings.ts";
import { isTimeout } from "../../contract/is-timeout.ts";
import { LIMITS, MAX_TIMEOUT_MS } from "../../contract/limits.ts";
import { LIFELINE_VARIABLE, type LoopPayloadJson, MAX_TURNS_ADVICE } from "../../contract/loop.ts";
import type { LoopProviderName } from "../../contract/loop-providers.ts";
import { explainBundledPackage, locateEntryPoint } from "../../entry-points.ts";
import { type ProcessEnding, type SupervisedProcess, startProcess } from "../../process/start-process.ts";
import { isToolName } from "../../toolbox/tool-rows.ts";
import { parseLoopEvent } from "./parse-loop-event.ts";

export interface CallSubagentRequest {
	readonly prompt: string;
	readonly systemPrompt?: string | null;
	readonly toolSubset?: readonly string[] | null;
}

/** The parent's own model, which its subagents use too. Only the embedded navigator has no address. */
export type CallSubagentContext = CommonContext &
	(
		| { readonly provider: "offline"; readonly url?: string }
		| { readonly provider: Exclude<LoopProviderName, "offline">; readonly url: string }
	);

interface CommonContext {
	readonly model: string;
	/** Name of the environment variable that contains the key. */
	readonly apiKeyName?: string | null;
	readonly think?: boolean;
	readonly temperature?: number;
	readonly maxTokens?: number | null;
	readonly cwd?: string;
	readonly env?: Environment;
	readonly signal?: AbortSignal;
	readonly timeoutMs?: number;
	readonly idleTimeoutMs?: number;
}

const DEFAULT_TIMEOUT_MS = 900_000;
const DEFAULT_IDLE_TIMEOUT_MS = 120_000;
/** The program ends itself at its limits and says why; this is for one that does not. */
const OVERRUN_MS = 10_000;

/**
 * Asks a subagent and waits. Always a string: what the subagent said, or `Error: ` and why there is nothing. Nothing
 * is started for a request that is wrong, and nothing is left when it returns.
 */
export async function callSubagent(
	request: CallSubagentRequest,
	context: CallSubagentContext | undefined,
): Promise<string> {
	if (!isObject(context)) return "Error: Subagent context is not configured";
	const { env, depth } = readSurroundings(context.env);
	const secrets = collectSecrets(env, [env[context.apiKeyName ?? ""] ?? ""]);
	const toError = (problem: string): string => `Error: ${sanitizeOutput(problem, { secrets })}`;
	const problem = checkCall(request, depth) ?? checkContext(context);
	if (problem !== undefined) return toError(problem);
	const outcome = await runSubagent(buildCallPayload(request, context), context, env);
	return "text" in outcome ? outcome.text : toError(outcome.problem);
}

function checkCall(request: CallSubagentRequest, depth: number): string | undefined {
	const { prompt, systemPrompt = null, toolSubset = null } = asObject(request);
	if (typeof prompt !== "string" || prompt.trim() === "") return "prompt must be a non-empty string";
	if (systemPrompt !== null && typeof systemPrompt !== "string") return "system_prompt must be a string";
	if (toolSubset !== null && !isTextList(toolSubset)) return "tool_subset must be a list of tool names";
	const unknown = [...new Set((toolSubset ?? []).filter((name) => !isToolName(name)))].sort();
	if (unknown.length > 0) return `Unknown tool names: ${unknown.join(", ")}`;
	return depth > 0 ? "A subagent cannot call another subagent" : undefined;
}

function checkContext(context: CallSubagentContext): string | undefined {
	const wrong = (["timeoutMs", "idleTimeoutMs"] as const).find((name) => !isTimeout(context[name] ?? 1));
	if (wrong) return `${wrong} must be a whole number from 1 to ${MAX_TIMEOUT_MS}, not ${context[wrong]}`;
	return (context.cwd === undefined ? explainCurrentDirectory() : undefined) ?? explainBundledPackage();
}

function buildCallPayload(request: CallSubagentRequest, context: CallSubagentContext): LoopPayloadJson {
	return {
		model: context.model,
		provider: context.provider,
		url: context.url ?? "",
		api_key_name: context.apiKeyName ?? null,
		prompt: request.prompt,
		system_prompt: request.systemPrompt ?? "",
		tool_subset: request.toolSubset ?? [],
		think: context.think ?? false,
		temperature: context.temperature ?? null,
		max_tokens: context.maxTokens ?? null,
	};
}

async function runSubagent(
	payload: LoopPayloadJson,
	context: CallSubagentContext,
	env: Environment,
): Promise<{ readonly text: string } | { readonly problem: string }> {
	const timeoutMs = context.timeoutMs ?? DEFAULT_TIMEOUT_MS;
	const idleTimeoutMs = context.idleTimeoutMs ?? DEFAULT_IDLE_TIMEOUT_MS;
	let text = "";
	const isTooLong = (): boolean => text.length > LIMITS.maxOutputChars;
	const child: SupervisedProcess = startProcess({
		command: process.execPath,
		args: [
			locateEntryPoint("loop"),
			...["--timeout-ms", String(timeoutMs)],
			...["--idle-timeout-ms", String(idleTimeoutMs)],
		],
		cwd: context.cwd ?? process.cwd(),
		env: { ...(defined(env) as Record<string, string>), PI_SUBAGENT_CHILD: "1", [LIFELINE_VARIABLE]: "1" },
		...defined({ signal: context.signal }),
		limits: { ...LIMITS, timeoutMs: timeoutMs + OVERRUN_MS, idleTimeoutMs: timeoutMs + OVERRUN_MS },
		onLine(line) {
			const event = parseLoopEvent(line);
			if (event?.type !== "text-delta" || isTooLong()) return;
			text += event.text;
			if (isTooLong()) child.stop();
		},
	});
	child.sendInput(JSON.stringify(payload));
	const ending = await child.ended;
	if (isTooLong()) return { problem: `Subagent wrote more than ${LIMITS.maxOutputChars} characters of text` };
	if (ending.reason === "exit" && ending.exitCode === 0) return { text };
	return { problem: explainFailedCall(ending) };
}

/** The program's own last words, else how it ended. */
function explainFailedCall(ending: ProcessEnding): string {
	if (ending.reason === "aborted") return "Subagent was cancelled";
	const message = asText(parseJsonObject(lastLine(ending.stderrTail))?.["message"]);
	if (message !== "") return message.replace(MAX_TURNS_ADVICE, " Ask for less.");
	if (ending.message !== undefined) return ending.message;
	return ending.signal === null
		? `Subagent exited with code ${ending.exitCode}`
		: `Subagent was killed by ${ending.signal}`;
}
