import type { RunEvent } from "../journal/run-event.ts";
import type { SessionEntry } from "./session-entry.ts";
import type { Showing } from "./transcript-of-session.ts";

/** What only the child's own transcript has, ready to be shown. */
export interface SessionWords {
	/** What a tool answered to this call. */
	readonly result: (id: string) => string | undefined;
	/** What the model thought before the answer of this time. */
	readonly thought: (at: number) => string | undefined;
}

/** The answers in both are the same, in the same order; only events have exact times. */
export function wordsOfSession(
	session: readonly SessionEntry[],
	events: readonly RunEvent[],
	showing: Showing,
): SessionWords {
	const results = new Map(
		session.flatMap((entry) => (entry.kind === "result" ? [[entry.id, entry.text] as const] : [])),
	);
	const answers = session.filter((entry) => entry.kind === "assistant");
	const messages = events.filter((event) => event.type === "message");
	const thoughts = new Map(messages.map(({ at }, index) => [at, answers[index]?.thinking]));
	const show = (text: string | undefined) => (text ? showing.text(text) : text);
	return { result: (id) => show(results.get(id)), thought: (at) => show(thoughts.get(at)) };
}
