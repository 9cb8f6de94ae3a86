import { asObject, asText, defined } from "@deputize/ground";
import type { Surroundings } from "../config/read-surroundings.ts";
import type { DelegationResult } from "../contract/result.ts";
import { appendJournal } from "../journal/append-journal.ts";
import type { JournalStart } from "../journal/journal-record.ts";
import type { Redact } from "./redact.ts";

/** One line in the journal for every delegation that came to an end, refused ones included. */
export function recordDelegation(
	result: DelegationResult,
	facts: {
		readonly surroundings: Surroundings;
		readonly redact: Redact;
		readonly input: unknown;
		readonly tools: readonly string[];
		readonly durationMs: number;
		readonly cwd: string;
		/** Absent when nothing was started. */
		readonly start?: JournalStart | undefined;
		readonly calls?: Readonly<Record<string, number>> | undefined;
	},
): void {
	const single = result.details.results[0];
	const { error, runId, sessionId } = result.details;
	appendJournal(facts.surroundings.agentDirectory, {
		time: new Date().toISOString(),
		kind: "subagent",
		name: single?.agent ?? nameIn(facts.input, facts.redact),
		ok: !result.isError,
		// Of a run, its own time: waiting for a slot or for a person's answer says nothing about an agent.
		durationMs: Math.round(single?.durationMs ?? facts.durationMs),
		summary: result.isError && error ? error.message : (single?.task ?? facts.redact.text("")),
		...defined({
			code: error?.code,
			cause: error?.cause?.kind,
			startedAt: facts.start?.time,
			cwd: facts.redact.text(facts.cwd),
			model: single?.model,
			runId: runId ?? facts.start?.runId,
			parent: facts.start?.parent,
			batch: facts.start?.batch,
			source: single?.agentSource,
			usage: single?.usage,
			confinement: single?.confinement,
			tools: facts.tools.length > 0 ? facts.tools : undefined,
			calls: facts.calls && Object.keys(facts.calls).length > 0 ? facts.calls : undefined,
			sessionId,
		}),
	});
}

const MAX_NAME_CHARS = 64;

/** Not validated yet; `agent` may be anything. */
function nameIn(input: unknown, redact: Redact): string {
	return redact.head(asText(asObject(input)["agent"]), MAX_NAME_CHARS) || "(none)";
}
