import { join } from "node:path";
import {
	isAmount,
	isObject,
	isOneOf,
	isText,
	parseWith,
	readJsonFile,
	writeAtomically,
} from "@deputize/ground";
import type { ChangedFile, ChangeSet } from "../contract/changes.ts";
import type { TreeDifference } from "../git/compare-trees.ts";
import { CHANGE_ID } from "./changes-directory.ts";

/** What is written down about a layer, in `record.json` of its directory. */
export interface ChangeRecord extends Omit<ChangeSet, "files" | "added" | "removed" | "bytes"> {
	readonly version: 1;
	/** Tree of the files as they were; empty until it is known. */
	readonly base: string;
	/** Places that the store borrows objects of the base from, until the changes are collected. */
	readonly borrowed: readonly string[];
	/** Nobody will ask for its changes. */
	readonly isThrownAway: boolean;
	/** Whoever opened it takes its changes along; what is left when that process is gone is of no use to anybody. */
	readonly isHandedOver?: boolean;
	readonly entries: readonly TreeDifference[];
	/** Trees of nothing but the entries; each is complete in the store. */
	readonly trees?: { readonly before: string; readonly after: string };
	readonly files: readonly Omit<ChangedFile, "isApplied">[];
	/** Entries that are in the project now, by path. */
	readonly applied: readonly string[];
	/** What the layer has is in the store, and it is gone. */
	readonly isLayerGone: boolean;
	/** When a person was first told that it will be removed because of its age. */
	readonly removalToldAt?: number;
}

const isNamed = (value: unknown): boolean => isObject(value) && isAmount(value["count"]);

function parseChangeRecord(value: unknown): ChangeRecord | undefined {
	return parseWith<ChangeRecord>(value, {
		version: isOneOf(1),
		id: (id) => isText(id) && CHANGE_ID.test(id as string),
		state: isOneOf("open", "pending", "applied"),
		origin: isObject,
		project: isText,
		isolation: isOneOf("layer", "copy"),
		createdAt: isText,
		changedAt: isText,
		base: (base) => typeof base === "string",
		borrowed: Array.isArray,
		isThrownAway: isOneOf(true, false),
		wasInterrupted: isOneOf(true, false),
		entries: Array.isArray,
		files: Array.isArray,
		ignored: isNamed,
		repositories: isNamed,
		applied: Array.isArray,
		isLayerGone: isOneOf(true, false),
	});
}

export function readRecord(state: string): ChangeRecord | undefined {
	return parseChangeRecord(readJsonFile(join(state, "record.json")));
}

export function writeRecord(state: string, record: ChangeRecord): void {
	writeAtomically(join(state, "record.json"), JSON.stringify(record));
}
