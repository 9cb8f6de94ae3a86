import { defined } from "@deputize/ground";
import type { ExtensionAPI } from "@earendil-works/pi-coding-agent";
import type { Activity, DelegationResult, DelegationUpdate } from "../../../contract/result.ts";
import type { Usage } from "../../../contract/usage.ts";

/** What other extensions hear of a run. Facts only: no task, no text and no arguments. */
interface RunAnnouncement {
	readonly toolCallId: string;
	readonly runId: string;
	readonly sessionId?: string;
	readonly agent: string;
	readonly model?: string;
	readonly thinking?: string;
	/** Of `deputize:update`. */
	readonly activity?: Activity;
	/** Of `deputize:update`: the tool that runs. */
	readonly tool?: string;
	readonly toolCalls?: number;
	/** Of `deputize:update` and `deputize:end`. */
	readonly usage?: Usage;
	/** Of `deputize:end`. */
	readonly ok?: boolean;
	readonly code?: string;
	readonly cause?: string;
	readonly durationMs?: number;
}

type Events = Pick<ExtensionAPI["events"], "emit">;

/** Tells other extensions of a run, on pi's own bus: `deputize:start`, `deputize:update`, `deputize:end`. */
export function announceRun(events: Events, call: { readonly id: string; readonly agent: string }) {
	let isStarted = false;
	const emit = (name: string, facts: Omit<RunAnnouncement, "toolCallId" | "agent">): void => {
		try {
			events.emit(`deputize:${name}`, Object.freeze({ toolCallId: call.id, agent: call.agent, ...facts }));
		} catch {
			// A listener that fails must not take the run with it.
		}
	};
	const start = (facts: Pick<RunAnnouncement, "runId" | "sessionId" | "model" | "thinking">): void => {
		if (isStarted) return;
		isStarted = true;
		emit("start", facts);
	};
	return {
		update({ details }: DelegationUpdate): void {
			const { runId, sessionId, streaming } = details;
			if (runId === undefined || streaming === undefined) return;
			const { model, thinking, activity, toolCalls, usage, waiting } = streaming;
			if (waiting) return;
			const facts = defined({ runId, sessionId, model, thinking });
			start(facts);
			emit("update", defined({ ...facts, activity, tool: streaming.currentTool?.name, toolCalls, usage }));
		},
		end({ details, isError }: DelegationResult): void {
			const { runId, sessionId, results, error } = details;
			const single = results[0];
			// Refused before anything ran: there is no run to tell of.
			if (runId === undefined || single === undefined) return;
			const facts = defined({ runId, sessionId, model: single.model, thinking: single.thinking });
			start(facts);
			const failure = isError ? { code: error?.code, cause: error?.cause?.kind } : {};
			const { toolCalls, usage, durationMs } = single;
			emit("end", defined({ ...facts, ok: !isError, ...failure, toolCalls, usage, durationMs }));
		},
	};
}
