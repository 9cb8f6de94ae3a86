import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { makePrivateDirectory } from "@deputize/ground";
import type { LineRange } from "../contract/changes.ts";
import type { TreeFile } from "./compare-trees.ts";
import { GitError } from "./git-error.ts";
import type { Store } from "./open-store.ts";
import { placeFiles } from "./place-files.ts";

export interface Merge {
	readonly base: TreeFile;
	/** Whose lines are counted. */
	readonly ours: TreeFile;
	readonly theirs: TreeFile;
}

export type Merged =
	| { readonly blob: string }
	| { readonly conflicts: readonly LineRange[] }
	| { readonly isBinary: true };

/** Long enough that no file has such a line by itself. */
const MARKER_SIZE = 61;
const CONFLICT_LIMIT = 128;

/** Merges contents, line by line, into new contents of the store. */
export async function mergeContents(store: Store, merges: readonly Merge[]): Promise<readonly Merged[]> {
	if (merges.length === 0) return [];
	const directory = makePrivateDirectory("merge-", store.directory);
	try {
		const sides = ["base", "ours", "theirs"] as const;
		const files = merges.flatMap((merge, at) =>
			sides.map((side) => [`${at}-${side}`, { mode: "100644", blob: merge[side].blob }] as const),
		);
		await placeFiles(store, directory, new Map(files));
		const merged: Merged[] = [];
		for (const at of merges.keys())
			merged.push(await mergeOne(store, (side) => join(directory, `${at}-${side}`)));
		return merged;
	} finally {
		rmSync(directory, { recursive: true, force: true });
	}
}

async function mergeOne(store: Store, pathOf: (side: keyof Merge) => string): Promise<Merged> {
	let text: Buffer;
	try {
		text = await store.git(
			["merge-file", "-p", `--marker-size=${MARKER_SIZE}`, pathOf("ours"), pathOf("base"), pathOf("theirs")],
			{ isFine: (exitCode) => exitCode < CONFLICT_LIMIT },
		);
	} catch (error) {
		if (error instanceof GitError && /binary/i.test(error.message)) return { isBinary: true };
		throw error;
	}
	const lines = text.toString("latin1").split("\n");
	if (lines.some((line) => line.startsWith("<".repeat(MARKER_SIZE))))
		return { conflicts: findConflicts(lines, readFileSync(pathOf("ours"), "latin1").split("\n")) };
	const stored = await store.git(["hash-object", "-w", "--no-filters", "--stdin"], { input: text });
	return { blob: stored.toString("latin1").trim() };
}

/** Between the marks are lines of ours, which are looked for there in the order they came. */
function findConflicts(merged: readonly string[], ours: readonly string[]): readonly LineRange[] {
	const ranges: LineRange[] = [];
	let cursor = 0;
	for (let at = 0; at < merged.length; at += 1) {
		if (!merged[at]?.startsWith("<".repeat(MARKER_SIZE))) continue;
		const end = merged.findIndex((line, index) => index > at && /^(?:\|{61}|={61})/.test(line));
		const hunk = merged.slice(at + 1, end);
		const before = merged.slice(0, at).at(-1);
		const first =
			hunk.length > 0
				? findLines(ours, hunk, cursor)
				: Math.max(cursor, before === undefined ? 0 : ours.indexOf(before, cursor) + 1);
		ranges.push({ from: first + 1, to: first + hunk.length });
		cursor = first + hunk.length;
		at = end;
	}
	return ranges;
}

function findLines(lines: readonly string[], run: readonly string[], from: number): number {
	for (let at = from; at + run.length <= lines.length; at += 1)
		if (run.every((line, index) => line === lines[at + index])) return at;
	return from;
}
