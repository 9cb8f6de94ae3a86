import type { RunEvent } from "../journal/run-event.ts";
import { defined } from "../json/defined.ts";
import type { SessionEntry } from "./read-session-entries.ts";
import type { Transcript, TranscriptEntry, TranscriptTurn } from "./transcript.ts";
import type { Showing } from "./transcript-of-session.ts";

const NOTES = {
	correction: "Sent back: the result had not been handed over.",
	backoff: "The provider failed; asked again after a pause.",
	attempt: "Tried again with a new process.",
	full: "Too much happened: events between here and the end were not kept.",
} as const;

type EventOf<Type extends RunEvent["type"]> = Extract<RunEvent, { type: Type }>;

interface Sources {
	/** When each call ended. */
	readonly ends: ReadonlyMap<string, EventOf<"result">>;
	/** What each tool answered. */
	readonly results: ReadonlyMap<string, string>;
	/** What the model thought before each of its answers. */
	readonly thoughts: ReadonlyMap<RunEvent, string>;
	readonly showing: Showing;
}

/**
 * A run as it was watched: exact times, also while it goes on. What tools answered and what the model thought is only in
 * the child's own transcript.
 */
export function transcriptOfEvents(
	events: readonly RunEvent[],
	session: readonly SessionEntry[],
	showing: Showing,
): Transcript {
	const answers = session.filter((entry) => entry.kind === "assistant");
	const messages = events.filter((event) => event.type === "message");
	const sources: Sources = {
		ends: new Map(events.flatMap((event) => (event.type === "result" ? [[event.id, event] as const] : []))),
		results: new Map(
			session.flatMap((entry) => (entry.kind === "result" ? [[entry.id, entry.text] as const] : [])),
		),
		thoughts: new Map(messages.map((message, index) => [message, answers[index]?.thinking ?? ""])),
		showing,
	};
	return { entries: events.flatMap((event) => showEvent(event, sources)), turns: collectTurns(events) };
}

function showEvent(event: RunEvent, sources: Sources): readonly TranscriptEntry[] {
	const { at, type } = event;
	switch (type) {
		case "start":
			return [{ kind: "task", at, text: event.task }];
		case "writing":
			return [{ kind: "text", at, text: event.text, isOpen: true }];
		case "message":
			return showMessage(event, sources);
		case "call":
			return [showCall(event, sources)];
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

function showMessage(event: EventOf<"message">, sources: Sources): readonly TranscriptEntry[] {
	const { at, text, error } = event;
	const thinking = sources.thoughts.get(event);
	return [
		...(thinking ? [{ kind: "thinking", at, text: sources.showing.text(thinking) } as const] : []),
		...(text ? [{ kind: "text", at, text } as const] : []),
		...(error ? [{ kind: "note", at, note: "failure", text: error } as const] : []),
	];
}

function showCall({ at, id, name, args }: EventOf<"call">, sources: Sources): TranscriptEntry {
	const end = sources.ends.get(id);
	const result = end && sources.results.get(id);
	return {
		...{ kind: "call", at, id, name, args },
		...defined({
			endedAt: end?.at,
			isError: end?.isError ? (true as const) : undefined,
			result: result === undefined ? undefined : sources.showing.text(result),
		}),
	};
}

/** From the moment the model is asked, which is the start of the turn or the end of what it had asked for. */
function collectTurns(events: readonly RunEvent[]): readonly TranscriptTurn[] {
	let askedAt = events[0]?.at ?? 0;
	return events.flatMap((event) => {
		const { at } = event;
		const from = Math.min(askedAt, at);
		if (["turn", "message", "result"].includes(event.type)) askedAt = at;
		if (event.type !== "message") return [];
		return [{ at: from, endedAt: at, usage: event.usage, ...defined({ model: event.model }) }];
	});
}
