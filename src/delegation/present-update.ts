import { LIMITS } from "../contract/limits.ts";
import type { DelegationUpdate, RedactedText } from "../contract/result.ts";
import { NO_USAGE } from "../contract/usage.ts";
import { truncateOutput } from "../text/truncate-output.ts";
import { type Collected, NOTHING_COLLECTED } from "./collect-output.ts";
import type { Redact } from "./redact.ts";

/** What a host shows at most of a running child; the whole comes with the result. */
const SHOWN_ITEMS = 20;
const SHOWN_TEXT_CHARS = 4000;

/** A partial result. Text is redacted whole before its tail is taken, so that no cut can hide a secret's start. */
export function presentUpdate(collected: Collected, redact: Redact): DelegationUpdate {
	const current = collected.runningTools.at(-1);
	const writing = redact
		.text(collected.unfinishedText.slice(-LIMITS.maxResultBytes))
		.slice(-SHOWN_TEXT_CHARS) as RedactedText;
	const items = redact.items(collected.items.slice(-SHOWN_ITEMS));
	const text = writing || (redact.text(collected.text).slice(-SHOWN_TEXT_CHARS) as RedactedText);
	return {
		content: [{ type: "text", text: truncateOutput(text).text }],
		details: {
			mode: "single",
			results: [],
			streaming: {
				displayItems: writing ? [...items, { type: "text", text: writing }] : items,
				usage: collected.usage,
				turnCount: collected.usage.turns,
				...(current ? { currentTool: { name: current.name, args: redact.args(current.args) } } : {}),
			},
		},
	};
}

/** The run has not started: all slots are taken. */
export function presentWaiting(redact: Redact): DelegationUpdate {
	const update = presentUpdate(NOTHING_COLLECTED, redact);
	const streaming = { displayItems: [], usage: NO_USAGE, turnCount: 0, waiting: true };
	return { ...update, details: { ...update.details, streaming } };
}

/**
 * Calls `send` with the newest state at most once per interval. Redacting a growing text for every fragment
 * would cost more than the child itself.
 */
export function createUpdateThrottle(
	send: (collected: Collected) => void,
	intervalMs: number = LIMITS.updateIntervalMs,
): { push(collected: Collected): void; stop(): void } {
	let newest: Collected | undefined;
	let timer: NodeJS.Timeout | undefined;
	const flush = (): void => {
		timer = undefined;
		if (!newest) return;
		const collected = newest;
		newest = undefined;
		timer = setTimeout(flush, intervalMs);
		timer.unref();
		send(collected);
	};
	return {
		push(collected) {
			newest = collected;
			if (!timer) flush();
		},
		stop() {
			clearTimeout(timer);
			newest = undefined;
		},
	};
}
