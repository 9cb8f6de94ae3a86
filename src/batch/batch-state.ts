import { rmSync, writeFileSync } from "node:fs";
import { asObject } from "../json/json-values.ts";
import { readJsonFile } from "../json/read-json-file.ts";
import { readIfThere } from "../paths/read-if-there.ts";
import { writeAtomically } from "../paths/write-atomically.ts";
import type { BatchFiles } from "./batch-files.ts";

/** What a batch is, kept beside its output so that the same command finds its queue again. */
export interface BatchState {
	readonly version: 1;
	/** Names the batch on a queue. */
	readonly id: string;
	readonly lane: "embedded" | "queue";
	/** The address of the queue, without a password. */
	readonly queue?: string;
	readonly total: number;
}

export function readBatchState(files: BatchFiles): BatchState | undefined {
	const fields = asObject(readJsonFile(files.state));
	const isState =
		fields["version"] === 1 &&
		typeof fields["id"] === "string" &&
		(fields["lane"] === "embedded" || fields["lane"] === "queue") &&
		Number.isSafeInteger(fields["total"]);
	return isState ? (fields as unknown as BatchState) : undefined;
}

export function writeBatchState(files: BatchFiles, state: BatchState): void {
	writeAtomically(files.state, `${JSON.stringify(state, undefined, "\t")}\n`);
}

export const CONTROL_WORDS = ["pause", "resume", "cancel"] as const;
export type ControlWord = (typeof CONTROL_WORDS)[number];

/** What the running process was last asked to do; undefined when nobody asked for anything. */
export function readControl(files: BatchFiles): ControlWord | undefined {
	const text = (readIfThere(files.control) ?? "").trim();
	return CONTROL_WORDS.find((word) => word === text);
}

export function writeControl(files: BatchFiles, word: ControlWord): void {
	writeFileSync(files.control, word, { mode: 0o600 });
}

/** Starting a batch again also resumes it. */
export function clearControl(files: BatchFiles): void {
	rmSync(files.control, { force: true });
}
