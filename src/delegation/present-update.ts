import { defined } from "@deputize/ground";
import type { RedactedText } from "@deputize/redaction";
import { FINALIZE_TOOL } from "../contract/finalization.ts";
import type { ChildPlan } from "../contract/plan.ts";
import type { Activity, DelegationUpdate, StreamingDisplay } from "../contract/result.ts";
import { NO_USAGE } from "../contract/usage.ts";
import { redactWritten } from "./choose-output.ts";
import { type Collected, NOTHING_COLLECTED, type RunningTool } from "./collect-output.ts";
import { type Redact, toDisplayItem } from "./redact.ts";
import { truncateOutput } from "./truncate-output.ts";

/** What a host shows at most of a running child; the whole comes with the result. */
const SHOWN_ITEMS = 20;
const SHOWN_TEXT_CHARS = 4000;
const SHOWN_ITEM_CHARS = 500;
const SHOWN_ARGUMENT_CHARS = 200;
const SHOWN_ARGUMENTS = 10;

type Run = Pick<ChildPlan, "runId" | "session" | "model" | "thinkingLevel"> &
	Partial<Pick<ChildPlan, "agent">>;

/** A partial result, bounded whatever the child does. */
export function presentUpdate(
	run: Run,
	collected: Collected,
	redact: Redact,
	layer?: StreamingDisplay["layer"],
): DelegationUpdate {
	const current = collected.runningTools.findLast(({ name }) => name !== FINALIZE_TOOL);
	const showCall: Redact["args"] = (args) => shortenArguments(redact.args(args));
	const showText = (text: string): RedactedText => redact.tail(text, SHOWN_ITEM_CHARS);
	const items = collected.items.slice(-SHOWN_ITEMS).map((item) => toDisplayItem(item, showText, showCall));
	const writing = redact.growing(collected.unfinishedText).slice(-SHOWN_TEXT_CHARS) as RedactedText;
	const last = redactWritten(collected.text, collected, redact);
	const text = writing || (last.slice(-SHOWN_TEXT_CHARS) as RedactedText);
	return {
		content: [{ type: "text", text: truncateOutput(text).text }],
		details: {
			mode: "single",
			runId: run.runId,
			sessionId: run.session.id,
			results: [],
			streaming: defined({
				displayItems: writing ? [...items, { type: "text" as const, text: writing }] : items,
				usage: collected.usage,
				turnCount: collected.usage.turns,
				activity: toActivity(collected, current),
				currentTool: current && {
					name: current.name,
					args: showCall(current.args),
					startedAt: current.startedAt,
				},
				retryAt: collected.retryAt,
				model: collected.model ?? run.model,
				thinking: run.thinkingLevel,
				toolCalls: collected.toolCalls,
				background: run.agent?.background,
				layer,
			}),
		},
	};
}

function toActivity(collected: Collected, current: RunningTool | undefined): Activity {
	if (collected.backingOff) return "retrying";
	if (current) return "tool";
	// Only the handover runs: the child is done, and what it wrote is on its way.
	if (collected.runningTools.length > 0) return "writing";
	if (collected.generating) return collected.generating;
	return collected.begun || collected.usage.turns > 0 ? "awaiting-model" : "starting";
}

function shortenArguments(args: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
	const shown = Object.entries(args).slice(0, SHOWN_ARGUMENTS);
	return Object.fromEntries(shown.map(([name, value]) => [name, shortenValue(value)]));
}

function shortenValue(value: unknown): unknown {
	const text = typeof value === "string" ? value : (JSON.stringify(value) ?? "");
	return text.length > SHOWN_ARGUMENT_CHARS ? `${text.slice(0, SHOWN_ARGUMENT_CHARS)}…` : value;
}

/** The run has not started: all slots are taken. */
export function presentWaiting(run: Run, redact: Redact): DelegationUpdate {
	const update = presentUpdate(run, NOTHING_COLLECTED, redact);
	const streaming = defined({
		...{ displayItems: [], usage: NO_USAGE, turnCount: 0, waiting: true },
		background: run.agent?.background,
	});
	return { ...update, details: { ...update.details, streaming } };
}
