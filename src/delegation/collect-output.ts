import { asText, defined } from "@deputize/ground";
import type { ChildEvent, StopReason, ToolCallRecord } from "../contract/event.ts";
import {
	type CheckData,
	checkFinalization,
	FINALIZE_TOOL,
	type Finalization,
	readRefusedWords,
} from "../contract/finalization.ts";
import { LIMITS } from "../contract/limits.ts";
import { addUsage, NO_USAGE, type Usage } from "../contract/usage.ts";
import { LAYER_TOOL_NAMES } from "../toolbox/tool-rows.ts";
import type { ProviderFailure } from "./find-provider-cause.ts";

export type CollectedItem =
	| { readonly type: "text"; readonly text: string }
	| (ToolCallRecord & {
			readonly type: "toolCall";
			readonly isError?: true;
			readonly durationMs?: number;
	  });

export interface RanCommand {
	readonly command: string;
	/** Null when it was stopped. */
	readonly exitCode: number | null;
}

export interface RunningTool extends ToolCallRecord {
	/** Milliseconds since 1970. */
	readonly startedAt: number;
}

interface RefusedCall {
	readonly name: string;
	readonly args: ToolCallRecord["args"];
	readonly reason: string;
}

/** What is known about a run so far. Raw text: it must be redacted before it leaves this room. */
export interface Collected {
	/** The last complete text of the child. */
	readonly text: string;
	/** Every complete text, oldest first. When there are too many, the shortest are dropped. */
	readonly texts: readonly string[];
	/** Those that break off in the middle, because the attempt that wrote them did. */
	readonly cutTexts: readonly string[];
	/** Text of a message that is still being written, or was never finished. */
	readonly unfinishedText: string;
	readonly usage: Usage;
	readonly items: readonly CollectedItem[];
	readonly runningTools: readonly RunningTool[];
	/** Calls that were started, the handover not counted. */
	readonly toolCalls: number;
	/** What the model is producing; absent until something arrives. */
	readonly generating?: "thinking" | "writing";
	readonly finalization?: Finalization;
	/** What was wrong with the last attempt to finalize. */
	readonly finalizationProblem?: string;
	/** What the last handover that was refused and said something would have handed over. */
	readonly refusedWords?: string;
	/** How the last assistant message ended; undefined before the first. */
	readonly lastStop?: { readonly reason: StopReason; readonly failure?: ProviderFailure };
	/** Calls that something in the child refused, oldest first; the first of many. */
	readonly blockedCalls: readonly RefusedCall[];
	/** The model that answered last, as `provider/id`. */
	readonly model?: string;
	/** The last event, with the name of its tool. */
	readonly lastEvent?: string;
	/** The model was asked at least once. */
	readonly begun: boolean;
	/** The child waits before it asks the provider again. */
	readonly backingOff: boolean;
	/** When it will ask, in milliseconds since 1970, if the child said so. */
	readonly retryAt?: number;
	/** Why the child could not go on, in its own last words. */
	readonly crash?: string;
	readonly settled: boolean;
	readonly aborted: boolean;
	/** Names of the tools that were started: they decide whether a retry is safe. */
	readonly toolsStarted: ReadonlySet<string>;
	/** How often the child was told to hand over again: it settled without a handover, or its call was refused. */
	readonly corrections: number;
	/** The call that failed last, and how many times in a row exactly that call failed. */
	readonly repeatedFailure?: { readonly call: string; readonly name: string; readonly count: number };
	/** The child itself retried the provider. */
	readonly childRetried: boolean;
	/** Commands that ended, the oldest first; only the last of many. */
	readonly commands: readonly RanCommand[];
	/** Calls of tools that work in a layer, which were refused before they changed anything. */
	readonly refusedCalls: number;
	/** What the provider refused with since its last answer, and how often. */
	readonly refusals?: { readonly reason: string; readonly count: number };
}

export const NOTHING_COLLECTED: Collected = {
	text: "",
	texts: [],
	cutTexts: [],
	unfinishedText: "",
	usage: NO_USAGE,
	items: [],
	runningTools: [],
	toolCalls: 0,
	blockedCalls: [],
	begun: false,
	backingOff: false,
	settled: false,
	aborted: false,
	toolsStarted: new Set(),
	corrections: 0,
	childRetried: false,
	commands: [],
	refusedCalls: 0,
};

/** What carries over to the next attempt of the same run: spending and text, never a verdict. */
export function startNextAttempt(collected: Collected): Collected {
	const { unfinishedText } = collected;
	return {
		...NOTHING_COLLECTED,
		...defined({ model: collected.model, refusedWords: collected.refusedWords }),
		text: collected.text || unfinishedText,
		texts: keepTexts(collected.texts, unfinishedText),
		cutTexts: keepTexts(collected.cutTexts, unfinishedText),
		usage: collected.usage,
		items: collected.items,
		toolsStarted: collected.toolsStarted,
		toolCalls: collected.toolCalls,
		blockedCalls: collected.blockedCalls,
		corrections: collected.corrections,
		childRetried: collected.childRetried,
		commands: collected.commands,
		refusedCalls: collected.refusedCalls,
	};
}

/** The state after one more event. Pure except for the clock, so that any sequence of events can be replayed. */
export function collectOutput(
	before: Collected,
	event: ChildEvent,
	checkData?: CheckData,
	at: number = Date.now(),
): Collected {
	const after = collectEvent(before, event, checkData, at);
	if (event.type === "child-end") return after;
	return { ...after, lastEvent: "name" in event ? `${event.type} ${event.name}` : event.type };
}

function collectEvent(
	before: Collected,
	event: ChildEvent,
	checkData: CheckData | undefined,
	at: number,
): Collected {
	switch (event.type) {
		case "turn-start":
			return { ...withoutActivity(before), begun: true };
		case "generating":
			return { ...before, generating: event.what === "thinking" ? "thinking" : "writing" };
		case "text-delta":
			return {
				...before,
				generating: "writing",
				unfinishedText: keepHead(before.unfinishedText + event.text),
			};
		case "assistant-message":
			return collectMessage(before, event);
		case "tool-start":
			return {
				...withoutActivity(before),
				runningTools: [
					...before.runningTools,
					{ id: event.id, name: event.name, args: event.args, startedAt: at },
				],
				toolCalls: before.toolCalls + (event.name === FINALIZE_TOOL ? 0 : 1),
				toolsStarted: new Set([...before.toolsStarted, event.name]),
			};
		case "tool-end":
			return collectToolEnd(before, event, checkData, at);
		case "tool-refused":
			return { ...before, blockedCalls: keepRefusal(before, event) };
		case "extra-usage":
			return { ...before, usage: addUsage(before.usage, event.usage) };
		case "backoff-start":
			return {
				...withoutActivity(before),
				childRetried: true,
				backingOff: true,
				refusals: { reason: event.reason ?? "", count: (before.refusals?.count ?? 0) + 1 },
				...(event.delayMs === undefined ? {} : { retryAt: at + event.delayMs }),
			};
		case "backoff-end":
			return withoutActivity(before);
		case "correction":
			return { ...before, corrections: before.corrections + 1 };
		case "crashed":
			return { ...before, crash: event.message };
		case "settled":
			return { ...before, settled: true, aborted: event.aborted };
		default:
			return before;
	}
}

const MAX_REFUSED_CALLS = 20;

function keepRefusal(
	{ blockedCalls, items, runningTools }: Collected,
	{ id, name, reason }: Extract<ChildEvent, { type: "tool-refused" }>,
): readonly RefusedCall[] {
	const calls = [...runningTools, ...items.filter((item) => item.type === "toolCall")];
	const args = calls.find((call) => call.id === id)?.args ?? {};
	return [...blockedCalls, { name, args, reason }].slice(0, MAX_REFUSED_CALLS);
}

/** Something else begins, so the model is no longer writing or waiting. */
function withoutActivity({ generating: _, retryAt: __, ...collected }: Collected): Collected {
	return { ...collected, backingOff: false };
}

function collectMessage(
	before: Collected,
	event: Extract<ChildEvent, { type: "assistant-message" }>,
): Collected {
	const calls = event.toolCalls
		.filter((call) => call.name !== FINALIZE_TOOL)
		.map((call): CollectedItem => ({ type: "toolCall", id: call.id, name: call.name, args: call.args }));
	const text: readonly CollectedItem[] =
		event.text === "" ? [] : [{ type: "text", text: keepHead(event.text) }];
	const { refusals, ...rest } = withoutActivity(before);
	return {
		...rest,
		...(event.stopReason === "error" ? defined({ refusals }) : {}),
		// Its tool calls are about to begin; nobody is waiting for the model.
		...(event.toolCalls.length > 0 ? { generating: "writing" as const } : {}),
		text: event.text === "" ? before.text : keepHead(event.text),
		texts: keepTexts(before.texts, event.text),
		unfinishedText: "",
		usage: addUsage(before.usage, event.usage),
		items: [...before.items, ...text, ...calls].slice(-LIMITS.maxDisplayItems),
		...(event.model ? { model: event.model } : {}),
		lastStop: defined({
			reason: event.stopReason,
			failure: event.errorMessage ? { message: event.errorMessage, ...event.errorFacts } : undefined,
		}),
	};
}

/** A finalization is known only from the stream: a call that ended without an error, with the arguments it began with. */
function collectToolEnd(
	before: Collected,
	event: Extract<ChildEvent, { type: "tool-end" }>,
	checkData: CheckData | undefined,
	at: number,
): Collected {
	const call = before.runningTools.find((running) => running.id === event.id);
	const outcome = defined({
		durationMs: call && Math.max(0, at - call.startedAt),
		isError: event.isError ? (true as const) : undefined,
	});
	const after = {
		...before,
		runningTools: before.runningTools.filter((running) => running.id !== event.id),
		items: before.items.map(
			(item): CollectedItem =>
				item.type === "toolCall" && item.id === event.id ? { ...item, ...outcome } : item,
		),
	};
	if (call?.name !== FINALIZE_TOOL) return countFailure(collectWork(after, event, call), event, call);
	const checked = checkFinalization(call.args, checkData);
	if (checked.ok && !event.isError) return { ...after, finalization: checked.finalization };
	const refusedWords = keepHead(readRefusedWords(call.args)) || before.refusedWords;
	return {
		...after,
		...defined({ refusedWords }),
		corrections: before.corrections + 1,
		finalizationProblem: checked.ok ? "the call was refused" : checked.reason,
	};
}

const WORKING: readonly string[] = LAYER_TOOL_NAMES;

/** A tool of ours says how its command ended, or which error it was; one that something else refused says neither. */
function collectWork(
	before: Collected,
	event: Extract<ChildEvent, { type: "tool-end" }>,
	call: ToolCallRecord | undefined,
): Collected {
	const { name, exitCode, isError, code } = event;
	if (!WORKING.includes(name)) return before;
	if (exitCode === undefined)
		return isError && (code === undefined || code === "FILE_CLOSED")
			? { ...before, refusedCalls: before.refusedCalls + 1 }
			: before;
	const command = { command: asText(call?.args["command"]), exitCode };
	return { ...before, commands: [...before.commands, command].slice(-LIMITS.maxKeptCommands) };
}

function countFailure(
	before: Collected,
	event: Extract<ChildEvent, { type: "tool-end" }>,
	call: ToolCallRecord | undefined,
): Collected {
	const { repeatedFailure, ...rest } = before;
	if (!event.isError) return rest;
	const same = JSON.stringify([event.name, call?.args]);
	const count = repeatedFailure?.call === same ? repeatedFailure.count + 1 : 1;
	return { ...rest, repeatedFailure: { call: same, name: event.name, count } };
}

/** The newest is always kept: it may be all that the next attempt refers to. */
function keepTexts(texts: readonly string[], text: string): readonly string[] {
	const head = keepHead(text.trim());
	if (head === "" || texts.includes(head)) return texts;
	const kept = [...texts, head];
	while (kept.length > LIMITS.maxKeptTexts || countChars(kept) > LIMITS.maxKeptTextChars) {
		const older = kept.slice(0, -1);
		if (older.length === 0) break;
		kept.splice(older.indexOf(older.reduce((a, b) => (b.length < a.length ? b : a))), 1);
	}
	return kept;
}

function countChars(texts: readonly string[]): number {
	return texts.reduce((sum, text) => sum + text.length, 0);
}

function keepHead(text: string): string {
	return text.length > LIMITS.maxKeptTextChars ? text.slice(0, LIMITS.maxKeptTextChars) : text;
}
