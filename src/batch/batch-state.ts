import { rmSync } from "node:fs";
import {
	ifGiven,
	isObject,
	isOneOf,
	isText,
	parseWith,
	readIfThere,
	readJsonFile,
	writeAtomically,
} from "@deputize/ground";
import { refuseAsBatch } from "./batch-error.ts";
import type { BatchFiles } from "./batch-files.ts";
import { BATCH_LIMITS } from "./batch-limits.ts";

/** What a batch is, kept beside its output so that the same command finds its queue again. */
export interface BatchState {
	readonly version: 1;
	/** Names the batch on a queue. */
	readonly id: string;
	readonly lane: "embedded" | "queue";
	/** The address of the queue, without a password. */
	readonly queue?: string;
	readonly total: number;
	/** ISO 8601, of its first start; older versions did not write it. */
	readonly startedAt?: string;
	/** What its tasks are, for people. */
	readonly about?: BatchAbout;
	/** US dollars that were spent and that no line says: on tasks that were stopped, and on lines that were replaced. */
	readonly unlistedUsd?: number;
	/** What tasks without a line for this attempt have cost so far, by their key. Written as it is spent. */
	readonly unfinished?: Readonly<Record<string, UnfinishedCost>>;
}

export interface BatchAbout {
	/** What every task is made of, with `{fields}`. */
	readonly template?: string;
	readonly agents: readonly string[];
	/** As they were chosen; empty where the runtime chooses. */
	readonly models: readonly string[];
}

export interface UnfinishedCost {
	readonly attempt: number;
	readonly costUsd: number;
}

export function readBatchState(files: BatchFiles): BatchState | undefined {
	return parseWith<BatchState>(readJsonFile(files.state), {
		version: isOneOf(1),
		id: isText,
		lane: isOneOf("embedded", "queue"),
		queue: ifGiven(isText),
		total: Number.isSafeInteger,
		startedAt: ifGiven(isText),
		about: ifGiven(isAbout),
		unlistedUsd: ifGiven(Number.isFinite),
		unfinished: ifGiven(isCostMap),
	});
}

const isTexts = (value: unknown): boolean => Array.isArray(value) && value.every(isText);

const isAbout = (value: unknown): boolean =>
	parseWith<BatchAbout>(value, { template: ifGiven(isText), agents: isTexts, models: isTexts }) !== undefined;

const isCostMap = (value: unknown): boolean =>
	isObject(value) &&
	Object.values(value).every((cost) =>
		parseWith<UnfinishedCost>(cost, { attempt: Number.isFinite, costUsd: Number.isFinite }),
	);

export function writeBatchState(files: BatchFiles, state: BatchState): void {
	refuseAsBatch(() => writeAtomically(files.state, `${JSON.stringify(state, undefined, "\t")}\n`, files));
}

export const CONTROL_WORDS = ["pause", "resume", "cancel"] as const;
export type ControlWord = (typeof CONTROL_WORDS)[number];

/** What the running process was last asked to do; undefined when nobody asked for anything. */
export function readControl(files: BatchFiles): ControlWord | undefined {
	const text = (readIfThere(files.control) ?? "").trim();
	return CONTROL_WORDS.find((word) => word === text);
}

export function writeControl(files: BatchFiles, word: ControlWord): void {
	refuseAsBatch(() => writeAtomically(files.control, word, files));
}

/** Looks for the words of `batch pause`, `resume` and `cancel`. Returns the function that ends it. */
export function followControl(files: BatchFiles, onChange: (word: ControlWord) => void): () => void {
	const clear = (): void => rmSync(files.control, { force: true });
	// Starting a batch again also resumes it.
	clear();
	let known: ControlWord | undefined;
	const timer = setInterval(() => {
		const word = readControl(files);
		if (word !== undefined && word !== known) onChange(word);
		known = word;
	}, BATCH_LIMITS.controlPollMs);
	return () => {
		clearInterval(timer);
		clear();
	};
}
