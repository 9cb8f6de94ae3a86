import { defined, mapSteps, type Steps } from "@deputize/ground";
import type { SessionAnswer, SessionEntry } from "./session-entry.ts";
import { showAnswer, showCall } from "./show-answer.ts";
import type { Transcript, TranscriptEntry, TranscriptTurn } from "./transcript.ts";

export interface Showing {
	readonly text: (text: string) => string;
	readonly args: (args: Readonly<Record<string, unknown>>) => Readonly<Record<string, unknown>>;
}

type Results = ReadonlyMap<string, Extract<SessionEntry, { kind: "result" }>>;

/** A run as its child wrote it down. A call has the time of the answer it was made in, and of its result. */
export function* transcriptOfSession(entries: readonly SessionEntry[], showing: Showing): Steps<Transcript> {
	const results: Results = new Map(
		entries.flatMap((entry) => (entry.kind === "result" ? [[entry.id, entry] as const] : [])),
	);
	const turns = entries.flatMap((entry, index): readonly TranscriptTurn[] => {
		const before = entries[index - 1];
		// After another one it is a part of the same answer.
		if (entry.kind !== "assistant" || before?.kind === "assistant") return [];
		const { at, usage, model } = entry;
		return [{ at: before?.at ?? at, endedAt: at, usage, ...defined({ model }) }];
	});
	const shown = yield* mapSteps(entries, (entry) => showEntry(entry, results, showing));
	return { entries: shown.flat(), turns };
}

function showEntry(entry: SessionEntry, results: Results, showing: Showing): readonly TranscriptEntry[] {
	const { at, kind } = entry;
	switch (kind) {
		case "user":
			return [{ kind: "task", at, text: showing.text(entry.text) }];
		case "compaction":
			return [{ kind: "note", at, note: "compaction", text: "The conversation was shortened." }];
		case "assistant":
			return showWithCalls(entry, results, showing);
		default:
			return [];
	}
}

function showWithCalls(
	{ at, thinking, text, error = "", calls }: SessionAnswer,
	results: Results,
	{ text: show, args: showArguments }: Showing,
): readonly TranscriptEntry[] {
	return [
		...showAnswer({ at, thinking: show(thinking), text: show(text), error: show(error) }),
		...calls.map((call) => {
			const result = results.get(call.id);
			return showCall({ ...call, at, args: showArguments(call.args) }, result, result && show(result.text));
		}),
	];
}
