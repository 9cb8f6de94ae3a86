import { defined } from "@deputize/ground";
import type { UserPlace } from "../../../config/read-surroundings.ts";
import type { FinishedCall } from "../../../toolbox/run-tool.ts";

/** One line in the journal. What writes and redacts it is loaded with the first call. */
export async function recordToolCall(
	{ tool, kind, ok, code, durationMs, summary }: FinishedCall,
	place: UserPlace,
): Promise<void> {
	if (kind === "files" || kind === "python" || kind === "work") return;
	const { createRedact } = await import("../../../delegation/redact.ts");
	const { appendJournal } = await import("../../../journal/append-journal.ts");
	const redact = createRedact({ ...place, depth: 0 });
	appendJournal(place.agentDirectory, {
		time: new Date().toISOString(),
		kind,
		name: tool,
		ok,
		...defined({ code }),
		durationMs,
		summary: redact.text(summary),
	});
}
