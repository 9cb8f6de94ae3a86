import { hostname } from "node:os";
import { defined } from "@deputize/ground";
import type { ChildEvent } from "../contract/event.ts";
import type { ChildPlan } from "../contract/plan.ts";
import type { DelegationResult } from "../contract/result.ts";
import { appendJournal } from "../journal/append-journal.ts";
import type { JournalStart } from "../journal/journal-record.ts";
import { openRunEvents } from "../journal/open-run-events.ts";
import type { RunStart } from "../journal/run-event.ts";
import { identifyProcess } from "../process/identify-process.ts";
import { openSpanExport } from "../telemetry/open-span-export.ts";
import { createToolCallRecorder } from "./record-tool-calls.ts";
import type { Redact } from "./redact.ts";
import type { RunContext } from "./run-context.ts";
import { toRunEnd, toRunEvent } from "./to-run-event.ts";

const MAX_TASK_CHARS = 16_384;
const MAX_WRITING_CHARS = 2000;

/** The start of a run in the journal, and a file with its events. */
export function openRunRecord(plan: ChildPlan, task: string, context: RunContext) {
	const { redact, surroundings } = context;
	const start = describeStart(plan, task, context);
	appendJournal(surroundings.agentDirectory, start);
	const first: RunStart = {
		type: "start",
		at: Date.parse(start.time),
		start,
		task: redact.head(task, MAX_TASK_CHARS),
		tools: plan.tools,
		runtime: plan.runtime,
		sessionFile: plan.session.file,
	};
	const events = openRunEvents(surroundings.agentDirectory, first);
	const spans = openSpanExport(surroundings.env, first);
	const noteToolCall = createToolCallRecorder({
		...surroundings,
		...defined({ batch: start.batch }),
		runId: plan.runId,
		redact,
	});
	let attempts = 0;
	const calls = new Map<string, number>();
	return {
		start,
		/** How often each of its tools was called. */
		countCalls: (): Readonly<Record<string, number>> => Object.fromEntries(calls),
		/** Every event of the child, as it comes. */
		note(event: ChildEvent): void {
			noteToolCall(event);
			if (event.type === "child-start") attempts += 1;
			// Only what was granted: a child may name anything.
			if (event.type === "tool-end" && plan.tools.includes(event.name))
				calls.set(event.name, (calls.get(event.name) ?? 0) + 1);
			const noted = toRunEvent(event, { at: Date.now(), attempts, redact });
			if (!noted) return;
			events.write(noted);
			spans?.note(noted);
		},
		/** The text the child is writing, as far as it has got. */
		noteWriting(text: string): void {
			if (text === "") return;
			const shown = redact.growing(text).slice(-MAX_WRITING_CHARS) as ReturnType<Redact["growing"]>;
			events.write({ type: "writing", at: Date.now(), text: shown });
		},
		/** What a person sent to the child. */
		noteInstruction(text: string): void {
			events.write({ type: "instruction", at: Date.now(), text: redact.head(text, MAX_TASK_CHARS) });
		},
		/** Idempotent. Without a result, the run was ended by a bug of ours. */
		close(result?: DelegationResult): void {
			const end = toRunEnd(result, Date.now());
			events.close(end);
			spans?.close(end);
		},
	};
}

/** Everything that is written down about a run while it goes on. */
export type RunRecord = ReturnType<typeof openRunRecord>;

function describeStart(plan: ChildPlan, task: string, context: RunContext): JournalStart {
	const { redact, surroundings, options, host } = context;
	return {
		event: "start",
		time: new Date().toISOString(),
		kind: "subagent",
		name: plan.agent.name,
		runId: plan.runId,
		summary: redact.head(task, MAX_TASK_CHARS),
		cwd: redact.text(plan.cwd),
		sessionId: plan.session.id,
		source: plan.agent.source,
		process: { ...identifyProcess(process.pid), host: hostname() },
		...defined({
			model: plan.model,
			parent: surroundings.runId ? `run:${surroundings.runId}` : host.parent,
			batch: options.batch,
		}),
	};
}
