import { defined } from "@deputize/ground";
import type { ChildEvent, ToolCallRecord } from "../contract/event.ts";
import { findErrorCode } from "../contract/tool-error.ts";
import { appendJournal } from "../journal/append-journal.ts";
import type { JournalKind } from "../journal/journal-record.ts";
import { summarizeArguments } from "../toolbox/run-tool.ts";
import { listAgentTools, TOOL_ROWS } from "../toolbox/tool-rows.ts";
import type { Redact } from "./redact.ts";

const NOTED = listAgentTools("web", "convert", "lsp");

/** Undefined for a tool whose calls are not noted. */
function kindOf(name: string): JournalKind | undefined {
	const noted = NOTED.find((known) => known === name);
	const kind = noted && TOOL_ROWS[noted].kind;
	return kind === "files" || kind === "python" || kind === "work" ? undefined : kind;
}

/**
 * Notes the web, document and language-server calls of a child in the journal. The parent does it, from the
 * child's events: a confined child cannot write there.
 */
export function createToolCallRecorder(options: {
	readonly agentDirectory: string;
	readonly runId: string;
	readonly batch?: string;
	readonly redact: Redact;
	readonly now?: () => number;
}): (event: ChildEvent) => void {
	const now = options.now ?? (() => performance.now());
	const running = new Map<string, { readonly call: ToolCallRecord; readonly startedAt: number }>();
	return (event) => {
		if (event.type === "tool-start" && kindOf(event.name)) {
			running.set(event.id, { call: event, startedAt: now() });
		}
		if (event.type !== "tool-end") return;
		const started = running.get(event.id);
		const kind = kindOf(event.name);
		if (!started || !kind) return;
		running.delete(event.id);
		appendJournal(options.agentDirectory, {
			time: new Date().toISOString(),
			kind,
			name: event.name,
			ok: !event.isError,
			durationMs: Math.round(now() - started.startedAt),
			summary: options.redact.text(summarizeArguments(started.call.args)),
			runId: options.runId,
			// A child wrote it: only the form of a code is let in.
			...defined({ batch: options.batch, code: findErrorCode(`${event.code ?? ""}: `) }),
		});
	};
}
