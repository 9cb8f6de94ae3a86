import { defined, type Environment } from "@deputize/ground";
import { FINALIZE_TOOL } from "../contract/finalization.ts";
import { badInput, toLoopError } from "./loop-error.ts";
import type { LoopPayload } from "./parse-payload.ts";
import type { OpenTurn, ProgramOutlet } from "./program-outlet.ts";
import type { HistoryEntry, Provider, ResponsesDialect, TurnOutcome } from "./providers/provider.ts";
import { type LoopRun, runLoop, type TakeTurn } from "./run-loop.ts";
import type { SecretScrubber } from "./scrub-secrets.ts";
import { sendTurn } from "./send-turn.ts";
import type { SessionTranscript } from "./session/open-session-transcript.ts";
import type { OutputPlan } from "./structured/plan-output.ts";
import type { ToolCaller } from "./tools/create-tool-caller.ts";
import type { LoopTools } from "./tools/open-loop-tools.ts";
import type { TurnSender } from "./turn-sender.ts";

interface ProgramContext {
	readonly env: Environment;
	readonly cwd: string;
	readonly signal: AbortSignal;
	readonly idleTimeoutMs: number;
	readonly outlet: ProgramOutlet;
	readonly onNotice?: (line: string) => void;
	/** Receives what a person has to know who granted something that is not there. */
	readonly onMissing?: (line: string) => void;
	readonly scrubber: SecretScrubber;
	/** Called before each tool: tools are the only thing here that can keep this thread busy. */
	readonly beforeTool?: () => void;
}

/** From a payload to a finished answer on the outlet. Parts that a run does not need are never loaded. */
export async function runProgram(payload: LoopPayload, context: ProgramContext): Promise<void> {
	const tools = await openTools(payload, context);
	try {
		await runWithTools(payload, context, tools);
	} finally {
		await tools.close();
	}
}

async function runWithTools(payload: LoopPayload, context: ProgramContext, tools: OpenTools): Promise<void> {
	const session = await openTranscript(payload, context);
	const prompt: HistoryEntry = { kind: "user", text: payload.prompt };
	const plan = await planOutput(payload);
	const run: LoopRun = {
		payload,
		history: [...session.history, prompt],
		takeTurn: await chooseTakeTurn(payload, context, tools, plan),
		tools: tools.caller,
		outlet: context.outlet,
		remember: session.remember,
		signal: context.signal,
		loadScrub: context.scrubber.load,
		...(plan === undefined ? {} : { checkAnswer: plan.check }),
	};
	session.remember(prompt);
	await runLoop(run);
}

/** Without tools there is neither a judge nor a directory of the user. */
interface OpenTools extends Partial<Pick<LoopTools, "judge" | "agentDirectory">>, Pick<LoopTools, "close"> {
	readonly caller: ToolCaller;
}

async function openTools(payload: LoopPayload, context: ProgramContext): Promise<OpenTools> {
	if (payload.tools.length === 0 && payload.child === undefined) return openNoTools(context);
	const { createToolCaller } = await import("./tools/create-tool-caller.ts");
	const { openLoopTools } = await import("./tools/open-loop-tools.ts");
	const { tools, missing, ...rest } = await openLoopTools(payload, { env: context.env, cwd: context.cwd });
	for (const [name, why] of missing) context.onMissing?.(`${name} is not offered. ${why}`);
	return { caller: createToolCaller(tools, context, missing), ...rest };
}

/** Answers a model that calls a tool although it has none. */
function openNoTools(context: ProgramContext): OpenTools {
	return {
		caller: {
			declarations: [],
			answer: async (call, args) =>
				(await import("./tools/create-tool-caller.ts")).createToolCaller([], context).answer(call, args),
		},
		close: async () => undefined,
	};
}

async function openTranscript({ child }: LoopPayload, { cwd }: ProgramContext): Promise<SessionTranscript> {
	if (child?.session === undefined) return { history: [], remember: () => undefined };
	const { openSessionTranscript } = await import("./session/open-session-transcript.ts");
	return openSessionTranscript({ session: child.session, agent: child.agent, cwd });
}

async function planOutput(payload: LoopPayload): Promise<OutputPlan | undefined> {
	if (payload.output === undefined) return undefined;
	const { planStructuredOutput } = await import("./structured/plan-output.ts");
	return await planStructuredOutput(payload.output, payload);
}

async function chooseTakeTurn(
	payload: LoopPayload,
	context: ProgramContext,
	{ caller, judge, agentDirectory }: OpenTools,
	plan: OutputPlan | undefined,
): Promise<TakeTurn> {
	if (payload.provider === "offline") {
		const { createOfflineTurns } = await import("./offline/create-offline-turns.ts");
		return createOfflineTurns({
			...defined({ payload, judge, agentDirectory }),
			env: context.env,
			tools: caller,
			cwd: context.cwd,
			signal: context.signal,
		});
	}
	const sender: TurnSender = {
		provider: await loadProvider(payload, context),
		dialect: payload.provider,
		url: payload.url,
		key: await findKey(payload, context),
		keyName: payload.apiKeyName,
		prefix: payload.child?.model_prefix ?? "",
		signal: context.signal,
		idleTimeoutMs: context.idleTimeoutMs,
		adaptation: { edits: [], outputLevel: "native", dialect: readDialect(context), withoutTools: false },
		describeTurn: (level) =>
			plan?.describe(level) ??
			(sender.adaptation.withoutTools ? toPlainTurn(payload) : { system: payload.systemPrompt }),
		// Who takes data is a program, and reads no sentence that says that nobody looked at anything.
		mayGoWithoutTools: payload.child !== undefined && payload.child.finalize.output === undefined,
		onBackoff: (waiting) =>
			context.outlet.report(waiting ? { type: "backoff-start" } : { type: "backoff-end", success: true }),
		...defined({
			onNotice: context.onNotice,
			headers: payload.child?.headers,
			contextLength: payload.child?.context_length,
		}),
	};
	const { model, think, temperature, maxTokens } = payload;
	const basis = { model, think, temperature, ...defined({ maxTokens }), tools: caller.declarations };
	return async (history, turn) => {
		const outcome = await sendTurn(sender, { ...basis, history }, turn);
		if (outcome.stop !== "end" || plan !== undefined) return outcome;
		if (sender.adaptation.withoutTools) return handOverWords(outcome, payload);
		return payload.provider === "openai-chat" ? await takeWrittenCalls(outcome, caller, turn) : outcome;
	};
}

/** For a model that takes no tools: its prompt speaks of them. */
function toPlainTurn({ systemPrompt }: LoopPayload): ReturnType<TurnSender["describeTurn"]> {
	const rule =
		"There are no tools in this conversation, whatever was said above about them. Answer in plain text: what you write is handed over as it is. Say what you would have had to look up.";
	return { system: `${systemPrompt}\n\n${rule}`, tools: [] };
}

/** Whoever reads the answer has to know that nobody looked at anything. */
function handOverWords(outcome: TurnOutcome, { model, child }: LoopPayload): TurnOutcome {
	const words = outcome.text.trim();
	if (words === "") return outcome;
	const text = `${model} cannot call tools: this answer was written without a look at any file.\n\n${words}`;
	if (child?.finalize.mode !== "required") return { ...outcome, text };
	const argumentsText = JSON.stringify({ status: "SUCCESS", result: text });
	return { ...outcome, stop: "tools", toolCalls: [{ id: "handover_1", name: FINALIZE_TOOL, argumentsText }] };
}

async function takeWrittenCalls(
	outcome: TurnOutcome,
	{ declarations }: ToolCaller,
	turn: OpenTurn,
): Promise<TurnOutcome> {
	if (!outcome.text.includes("{") || declarations.length === 0) return outcome;
	const { readWrittenCalls } = await import("./read-written-calls.ts");
	const found = readWrittenCalls(
		outcome.text,
		declarations.map(({ name }) => name),
	);
	if (found === undefined) return outcome;
	for (const { id, name, argumentsText } of found.calls) turn.toolCall(id, argumentsText, name);
	return { ...outcome, text: found.text, toolCalls: found.calls, stop: "tools" };
}

/** Only the provider in use is loaded: a child lives for one answer, and loading is most of its own time. */
async function loadProvider(payload: LoopPayload, context: ProgramContext): Promise<Provider> {
	if (payload.provider === "openai-chat")
		return (await import("./providers/openai-chat.ts")).createOpenaiChatProvider();
	if (payload.provider === "openai-responses") {
		return (await import("./providers/openai-responses.ts")).createOpenaiResponsesProvider();
	}
	const anthropic = await import("./providers/anthropic.ts");
	if (payload.provider === "vertexai-anthropic") return anthropic.createVertexProvider();
	return anthropic.createAnthropicProvider(context.env["DEPUTIZE_ANTHROPIC_VERSION"]);
}

/** By the items that a server announces; then the names they had first. */
const DIALECTS: readonly { readonly dialect: ResponsesDialect; readonly names: readonly string[] }[] = [
	{ dialect: "seed", names: ["tool_call", "seed"] },
	{ dialect: "openai", names: ["function_call", "openai"] },
];

function readDialect(context: ProgramContext): TurnSender["adaptation"]["dialect"] {
	const wanted = context.env["DEPUTIZE_RESPONSES_DIALECT"];
	return DIALECTS.find(({ names }) => names.includes(wanted ?? ""))?.dialect;
}

async function findKey(payload: LoopPayload, context: ProgramContext): Promise<string> {
	const key = (context.env[payload.apiKeyName] ?? "").trim();
	if (payload.provider === "vertexai-anthropic" && key === "") {
		const { fetchGoogleToken } = await import("./providers/fetch-google-token.ts");
		const token = await fetchGoogleToken(context);
		context.scrubber.add(token);
		return token;
	}
	if (payload.apiKeyName !== "" && key === "") {
		throw badInput(
			"missing_key",
			`The environment variable ${payload.apiKeyName}, which should contain the API key, is not set.`,
		);
	}
	if (/[^\x21-\x7e]/.test(key)) {
		throw toLoopError(
			new Error(`the value of ${payload.apiKeyName} has characters that cannot be sent in a header`),
		);
	}
	return key;
}
