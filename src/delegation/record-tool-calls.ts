import type { ChildEvent, ToolCallRecord } from "../contract/event.ts";
import type { RedactedText } from "../contract/result.ts";
import { appendJournal } from "../journal/append-journal.ts";
import type { JournalKind } from "../journal/journal-record.ts";
import type { Redact } from "./redact.ts";

const KINDS: Readonly<Record<string, JournalKind>> = {
	web_search: "web",
	fetch_content: "web",
	get_search_content: "web",
	convert_content: "convert",
	lsp: "lsp",
};
/** Which argument says what a call was about. */
const TELLING = ["action", "query", "queries", "url", "urls", "path", "file"];

/**
 * Notes the web, document and language-server calls of a child in the journal. The parent does it, from the
 * child's events: a confined child cannot write there.
 */
export function createToolCallRecorder(options: {
	readonly agentDirectory: string;
	readonly runId: string;
	readonly redact: Redact;
	readonly now?: () => number;
}): (event: ChildEvent) => void {
	const now = options.now ?? (() => performance.now());
	const running = new Map<string, { readonly call: ToolCallRecord; readonly startedAt: number }>();
	return (event) => {
		if (event.type === "tool-start" && Object.hasOwn(KINDS, event.name)) {
			running.set(event.id, { call: event, startedAt: now() });
		}
		if (event.type !== "tool-end") return;
		const started = running.get(event.id);
		const kind = KINDS[event.name];
		if (!started || !kind) return;
		running.delete(event.id);
		appendJournal(options.agentDirectory, {
			time: new Date().toISOString(),
			kind,
			name: event.name,
			ok: !event.isError,
			durationMs: Math.round(now() - started.startedAt),
			summary: summarize(started.call, options.redact),
			runId: options.runId,
		});
	};
}

function summarize(call: ToolCallRecord, redact: Redact): RedactedText {
	const telling = TELLING.map((name) => call.args[name]).filter((value) => value !== undefined);
	return redact.text(
		telling.map((value) => (typeof value === "string" ? value : JSON.stringify(value))).join(" "),
	);
}
