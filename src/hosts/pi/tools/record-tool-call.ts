import type { JournalKind } from "../../../journal/journal-record.ts";

export interface FinishedToolCall {
	readonly tool: string;
	readonly ok: boolean;
	readonly code?: string;
	readonly durationMs: number;
	readonly summary: string;
}

/** One line in the journal. What writes and redacts it is loaded with the first call. */
export async function recordToolCall(
	kind: JournalKind,
	call: FinishedToolCall,
	place: {
		readonly env: Readonly<Record<string, string | undefined>>;
		readonly home: string;
		readonly agentDirectory: string;
	},
): Promise<void> {
	const { createRedact } = await import("../../../delegation/redact.ts");
	const { appendJournal } = await import("../../../journal/append-journal.ts");
	const redact = createRedact({ ...place, depth: 0 });
	appendJournal(place.agentDirectory, {
		time: new Date().toISOString(),
		kind,
		name: call.tool,
		ok: call.ok,
		...(call.code ? { code: call.code } : {}),
		durationMs: Math.round(call.durationMs),
		summary: redact.text(call.summary),
	});
}
