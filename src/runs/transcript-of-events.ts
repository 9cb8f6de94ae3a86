import { defined, mapSteps, type Steps } from "@deputize/ground";
import type { RunEvent } from "../journal/run-event.ts";
import { showAnswer, showCall } from "./show-answer.ts";
import type { Transcript, TranscriptEntry, TranscriptTurn } from "./transcript.ts";
import type { SessionWords } from "./words-of-session.ts";

const NOTES = {
	correction: "Sent back: the result had not been handed over.",
	backoff: "The provider failed; asked again after a pause.",
	attempt: "Tried again with a new process.",
	full: "Too much happened: events between here and the end were not kept.",
} as const;

interface Sources {
	/** When each call ended. */
	readonly ends: ReadonlyMap<string, Extract<RunEvent, { type: "result" }>>;
	readonly words: SessionWords;
}

/** A run as it was watched: exact times, also while it goes on. */
export function* transcriptOfEvents(events: readonly RunEvent[], words: SessionWords): Steps<Transcript> {
	const ends = new Map(
		events.flatMap((event) => (event.type === "result" ? [[event.id, event] as const] : [])),
	);
	const shown = yield* mapSteps(orderAnswers(events), (event) => showEvent(event, { ends, words }));
	return { entries: shown.flat(), turns: collectTurns(events) };
}

/** Some programs report a call before the text that precedes it: they report text only when the answer is complete. */
function orderAnswers(events: readonly RunEvent[]): readonly RunEvent[] {
	const ordered: RunEvent[] = [];
	for (const event of events) {
		const place =
			event.type === "message" ? ordered.findLastIndex(({ type }) => type !== "call") : ordered.length;
		ordered.splice(place + 1, 0, event);
	}
	return ordered;
}

function showEvent(event: RunEvent, { ends, words }: Sources): readonly TranscriptEntry[] {
	const { at, type } = event;
	switch (type) {
		case "start":
			return [{ kind: "task", at, text: event.task }];
		case "writing":
			return [{ kind: "text", at, text: event.text, isOpen: true }];
		case "message":
			return showAnswer({ ...event, thinking: words.thought(at) });
		case "call": {
			const end = ends.get(event.id);
			return [showCall(event, end, end && (words.result(event.id) ?? end.text))];
		}
		case "instruction":
			return [{ kind: "note", at, note: type, text: `The user wrote: ${event.text}` }];
		case "correction":
		case "backoff":
		case "attempt":
		case "full":
			return [{ kind: "note", at, note: type, text: NOTES[type] }];
		default:
			return [];
	}
}

/** From the end of what happened before. Only a process that starts needs time of its own before the model is asked. */
function collectTurns(events: readonly RunEvent[]): readonly TranscriptTurn[] {
	let askedAt = events[0]?.at ?? 0;
	let isStarting = true;
	return events.flatMap((event) => {
		const { at, type } = event;
		const from = Math.min(askedAt, at);
		if (type === "message" || type === "result" || (type === "turn" && isStarting)) askedAt = at;
		isStarting = type === "start" || type === "attempt" || (isStarting && type !== "turn");
		// Part of the previous answer, reported separately.
		if (type !== "message" || event.usage.turns === 0) return [];
		return [{ at: from, endedAt: at, usage: event.usage, ...defined({ model: event.model }) }];
	});
}
