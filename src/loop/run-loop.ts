import { defined } from "@deputize/ground";
import type { ChildEvent, StopReason } from "../contract/event.ts";
import { describeCorrection, FINALIZE_TOOL, NEVER_CALLED } from "../contract/finalization.ts";
import { MAX_TURNS_ADVICE } from "../contract/loop.ts";
import { findErrorCode } from "../contract/tool-error.ts";
import { NO_USAGE, type TokenKinds, type Usage } from "../contract/usage.ts";
import { LoopError, toLoopError } from "./loop-error.ts";
import type { LoopPayload } from "./parse-payload.ts";
import type { OpenTurn, ProgramOutlet } from "./program-outlet.ts";
import { type HistoryEntry, parseArguments, type ToolCall, type TurnOutcome } from "./providers/provider.ts";
import type { ToolCaller } from "./tools/create-tool-caller.ts";

/** Whatever answers: a provider over the network, or the offline navigator. */
export type TakeTurn = (history: readonly HistoryEntry[], turn: OpenTurn) => Promise<TurnOutcome>;

/** Checks an answer that should be JSON; a problem is sent back to the model. */
export type CheckAnswer = (text: string) => Promise<{ readonly json: string } | { readonly problem: string }>;

export interface LoopRun {
	readonly payload: Pick<LoopPayload, "maxTurns" | "child">;
	/** Ends with the prompt. */
	readonly history: HistoryEntry[];
	readonly takeTurn: TakeTurn;
	readonly tools: ToolCaller;
	readonly outlet: ProgramOutlet;
	/** Present when the answer must be JSON. */
	readonly checkAnswer?: CheckAnswer;
	/** Keeps the transcript. */
	readonly remember: (entry: HistoryEntry) => void;
	readonly signal: AbortSignal;
	/** Called with a failure before the program ends because of it. */
	readonly loadScrub: () => Promise<(text: string) => string>;
}

const MAX_OUTPUT_CORRECTIONS = 1;

interface Corrections {
	output: number;
	/** How often the model was told to hand over again: it settled without a handover, or its handover was refused. */
	finalize: number;
	longestText: string;
}

/** Absent without a parent: then there is no handover that could be refused. */
function maxCorrectionsOf(run: LoopRun): number {
	return run.payload.child?.finalize.max_corrections ?? Number.POSITIVE_INFINITY;
}

/** Turn after turn until the model has answered. Rejects with a `LoopError` for every other ending. */
export async function runLoop(run: LoopRun): Promise<void> {
	const corrections: Corrections = { output: 0, finalize: 0, longestText: "" };
	for (let turn = 1; turn <= run.payload.maxTurns; turn += 1) {
		const outcome = await takeOneTurn(run);
		add(run, {
			kind: "assistant",
			text: outcome.text,
			toolCalls: outcome.toolCalls,
			...defined({ native: outcome.native }),
		});
		if (outcome.text.length >= corrections.longestText.length) corrections.longestText = outcome.text;
		if (outcome.stop === "pause") continue;
		if (outcome.stop === "tools") {
			const handover = await answerToolCalls(run, outcome.toolCalls);
			corrections.finalize += handover.refused;
			if (handover.finalized || corrections.finalize > maxCorrectionsOf(run)) return;
			continue;
		}
		const question = await findWhatIsMissing(run, outcome, corrections);
		if (question === undefined) return;
		add(run, { kind: "user", text: question });
	}
	// The turn that does not begin: the parent checks its own bound by it.
	run.outlet.report({ type: "turn-start" });
	throw new LoopError(
		"max_turns",
		`The model was still working after ${run.payload.maxTurns} turns; it was stopped.${run.payload.child ? " Ask for less." : MAX_TURNS_ADVICE}`,
	);
}

function add(run: LoopRun, entry: HistoryEntry): void {
	run.history.push(entry);
	run.remember(entry);
}

async function takeOneTurn(run: LoopRun): Promise<TurnOutcome> {
	const { outlet } = run;
	outlet.report({ type: "turn-start" });
	const turn = outlet.openTurn();
	try {
		const outcome = await run.takeTurn(run.history, turn);
		turn.end();
		const usage = priceUsage(outcome.usage, run.payload.child?.price);
		outlet.report({
			...toMessageEvent(
				outcome.text,
				outcome.toolCalls,
				outcome.stop === "tools" ? "tool-use" : "stop",
				usage,
			),
			...defined({ model: outcome.model }),
		});
		return outcome;
	} catch (thrown) {
		const error = toLoopError(thrown);
		void turn.flush();
		const stopReason = toStopReason(error, run.signal);
		const spent = priceUsage(error.facts.usage ?? NO_USAGE, run.payload.child?.price);
		// A failed request is not a turn: nothing was answered.
		const usage = stopReason === "error" ? { ...spent, turns: 0 } : spent;
		const event = toMessageEvent(turn.partialText(), [], stopReason, usage);
		const scrub = await run.loadScrub();
		const { status, retryAfterMs } = error.facts;
		outlet.report({
			...event,
			errorMessage: scrub(error.message),
			errorFacts: defined({ status, retryAfterMs }),
		});
		throw error;
	}
}

/** What the provider says it cost, else what the configured price of a million tokens makes of it. */
function priceUsage(usage: Usage, price: TokenKinds | undefined): Usage {
	if (price === undefined || usage.cost > 0) return usage;
	const cost =
		usage.input * price.input +
		usage.output * price.output +
		usage.cacheRead * price.cacheRead +
		usage.cacheWrite * price.cacheWrite;
	return { ...usage, cost: cost / 1_000_000 };
}

function toStopReason(error: LoopError, signal: AbortSignal): StopReason {
	if (signal.aborted) return "aborted";
	return error.code === "output_limit" ? "length" : "error";
}

function toMessageEvent(text: string, calls: readonly ToolCall[], stopReason: StopReason, usage: Usage) {
	const toolCalls = calls.map((call) => ({
		id: call.id,
		name: call.name,
		args: parseArguments(call.argumentsText) ?? {},
	}));
	return { type: "assistant-message", text, toolCalls, stopReason, usage } satisfies ChildEvent;
}

/** All at once, answered in the order they were asked. */
async function answerToolCalls(
	run: LoopRun,
	calls: readonly ToolCall[],
): Promise<{ readonly finalized: boolean; readonly refused: number }> {
	const results = await Promise.all(
		calls.map(async (call) => {
			const args = parseArguments(call.argumentsText);
			run.outlet.report({ type: "tool-start", id: call.id, name: call.name, args: args ?? {} });
			const { text, isError, exitCode } = await run.tools.answer(call, args);
			if (run.signal.aborted) throw toLoopError(run.signal.reason);
			run.outlet.toolResult(call.id, text);
			const code = isError ? findErrorCode(text) : undefined;
			const facts = defined({ code, exitCode });
			run.outlet.report({ type: "tool-end", id: call.id, name: call.name, isError, ...facts });
			return { id: call.id, name: call.name, text, isError };
		}),
	);
	add(run, { kind: "tools", results });
	const handovers = results.filter(({ name }) => name === FINALIZE_TOOL);
	const refused = handovers.filter(({ isError }) => isError).length;
	return { finalized: handovers.length > refused, refused };
}

/** The model stopped on its own. Returns a message about what is still missing, or undefined if nothing is. */
async function findWhatIsMissing(
	run: LoopRun,
	outcome: TurnOutcome,
	corrections: Corrections,
): Promise<string | undefined> {
	if (run.checkAnswer !== undefined)
		return await deliverStructured(run, run.checkAnswer, outcome, corrections);
	const finalize = run.payload.child?.finalize;
	if (finalize?.mode === "required") {
		if (corrections.finalize >= finalize.max_corrections) return undefined;
		corrections.finalize += 1;
		run.outlet.report({ type: "correction" });
		return describeCorrection(NEVER_CALLED, corrections.longestText, finalize.output ? "data" : "result");
	}
	if (outcome.text.trim() === "") {
		throw new LoopError("empty_answer", "The model ended its answer without any text.");
	}
	return undefined;
}

async function deliverStructured(
	run: LoopRun,
	checkAnswer: CheckAnswer,
	outcome: TurnOutcome,
	corrections: Corrections,
): Promise<string | undefined> {
	const checked = await checkAnswer(outcome.text);
	if ("json" in checked) {
		run.outlet.structured(checked.json);
		return undefined;
	}
	if (corrections.output >= MAX_OUTPUT_CORRECTIONS) {
		throw new LoopError("invalid_output", `The answer does not have the requested form: ${checked.problem}`);
	}
	corrections.output += 1;
	return `Your answer does not have the requested form: ${checked.problem}\nAnswer again with the corrected JSON only.`;
}
