import { existsSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { listIfThere, parseJsonObject, readIfThere, statIfThere, writeAtomically } from "@deputize/ground";
import type { DelegationDetails } from "../../../../contract/result.ts";
import type { JournalProcess } from "../../../../journal/journal-record.ts";
import { backgroundDirectory } from "./has-background-records.ts";

/** A run that nobody waits for. The file exists from before it is let go until its answer is in the session. */
export interface BackgroundRecord {
	readonly runId: string;
	readonly agent: string;
	readonly task: string;
	/** The child's session. */
	readonly sessionId: string;
	/** Who runs it: when this process is gone without a result, the run is lost. */
	readonly owner: JournalProcess;
	/** Absent while it runs. */
	readonly result?: {
		readonly text: string;
		readonly isError: boolean;
		readonly details: DelegationDetails;
		/** The person ended it and knows: the model is told with their next message. */
		readonly isQuiet?: boolean;
	};
}

const NAME = /^[\w-]{1,64}$/;
/** Answers for sessions that nobody opens again. */
const MAX_AGE_MS = 30 * 24 * 60 * 60 * 1000;

/** The background runs of one session of a parent, on disk, so that they survive the parent. */
export function openBackgroundRecords(agentDirectory: string, parentSession: string) {
	const directory = backgroundDirectory(agentDirectory, parentSession);
	const root = dirname(directory);
	const toFile = (runId: string): string => join(directory, `${runId}.json`);
	sweep(root);
	return {
		/** Whoever has this lock delivers the record. */
		lockFile: (runId: string): string => join(directory, `${runId}.lock`),
		has: (runId: string): boolean => existsSync(toFile(runId)),
		list: (): readonly BackgroundRecord[] =>
			listIfThere(directory)
				.filter((name) => name.endsWith(".json"))
				.flatMap((name) => parseRecord(readIfThere(join(directory, name)) ?? "") ?? []),
		/** Throws when it cannot be written: a run without a record is not let go. */
		write(record: BackgroundRecord): void {
			if (!NAME.test(record.runId) || !NAME.test(parentSession))
				throw new Error(`No record can be named ${JSON.stringify(record.runId)}.`);
			writeAtomically(toFile(record.runId), `${JSON.stringify(record)}\n`);
		},
		remove: (runId: string): void => rmSync(toFile(runId), { force: true }),
	};
}

export type BackgroundRecords = ReturnType<typeof openBackgroundRecords>;

function parseRecord(text: string): BackgroundRecord | undefined {
	const fields = parseJsonObject(text) as Partial<BackgroundRecord> | undefined;
	const isOurs =
		[fields?.runId, fields?.agent, fields?.task, fields?.sessionId].every(
			(value) => typeof value === "string",
		) && typeof fields?.owner?.pid === "number";
	return isOurs ? (fields as BackgroundRecord) : undefined;
}

function sweep(root: string): void {
	for (const session of listIfThere(root)) {
		const directory = join(root, session);
		const changedAt = statIfThere(directory)?.mtimeMs ?? Date.now();
		if (Date.now() - changedAt > MAX_AGE_MS) rmSync(directory, { recursive: true, force: true });
	}
}
