import type { Store } from "./open-store.ts";

/** A file, link or submodule in a tree. */
export interface TreeFile {
	readonly mode: string;
	readonly blob: string;
}

export interface TreeDifference {
	/** Its bytes, as characters of one byte each. */
	readonly path: string;
	readonly before?: TreeFile;
	readonly after?: TreeFile;
}

export interface LineCounts {
	readonly path: string;
	/** Before it was renamed. */
	readonly from?: string;
	readonly status: "added" | "modified" | "deleted" | "renamed";
	/** Undefined for a file that is not text. */
	readonly added?: number;
	readonly removed?: number;
}

const RAW = /^:(\d{6}) (\d{6}) ([0-9a-f]+) ([0-9a-f]+) ([A-Z])\d*$/;
const NO_MODE = "000000";

const COMPARE = ["-r", "-z", "--raw", "--no-renames", "--no-abbrev"];

export async function compareTrees(store: Store, before: string, after: string): Promise<TreeDifference[]> {
	return toDifferences(await store.git(["diff-tree", ...COMPARE, before, after]));
}

/** What the store's index has otherwise than a tree. */
export async function compareWithIndex(store: Store, before: string): Promise<TreeDifference[]> {
	return toDifferences(
		await store.git(["diff-index", "--cached", "--ignore-submodules=none", ...COMPARE, before]),
	);
}

function toDifferences(listed: Buffer): TreeDifference[] {
	const fields = listed.toString("latin1").split("\0");
	const found: TreeDifference[] = [];
	for (let at = 0; at + 1 < fields.length; at += 2) {
		const [, oldMode = "", newMode = "", oldBlob = "", newBlob = ""] = RAW.exec(fields[at] ?? "") ?? [];
		found.push({
			path: fields[at + 1] ?? "",
			...(oldMode === NO_MODE ? {} : { before: { mode: oldMode, blob: oldBlob } }),
			...(newMode === NO_MODE ? {} : { after: { mode: newMode, blob: newBlob } }),
		});
	}
	return found;
}

/** For `diff-tree`; what it prints is read by `toChangedLines`. */
export const COUNT_LINES = "-r -z -M --raw --numstat --no-ext-diff --no-textconv";

/** What a person is shown: renamed files as one, with lines added and removed. */
export function toChangedLines(fields: readonly string[]): LineCounts[] {
	const { statuses, end } = readStatuses(fields);
	const found: LineCounts[] = [];
	for (let at = end; at < fields.length - 1; ) {
		const [added = "", removed = "", path = ""] = splitCounts(fields[at] ?? "");
		const isRenamed = path === "";
		const [from = "", to = ""] = fields.slice(at + 1, at + 3);
		const name = isRenamed ? to : path;
		found.push({
			path: name,
			...(isRenamed ? { from } : {}),
			status: statuses.get(name) ?? "modified",
			...(added === "-" ? {} : { added: Number(added), removed: Number(removed) }),
		});
		at += isRenamed ? 3 : 1;
	}
	return found;
}

/** The first part of the answer, one record for each file: what happened to it, and its name or both its names. */
function readStatuses(fields: readonly string[]) {
	const statuses = new Map<string, LineCounts["status"]>();
	let end = 0;
	while (fields[end]?.startsWith(":") === true) {
		const letter = RAW.exec(fields[end] ?? "")?.[5] ?? "M";
		const names = letter === "R" || letter === "C" ? 2 : 1;
		statuses.set(fields[end + names] ?? "", nameStatus(letter));
		end += names + 1;
	}
	return { statuses, end };
}

/** A name can have tabs in it. */
function splitCounts(field: string): readonly string[] {
	const [added = "", removed = ""] = field.split("\t", 2);
	return [added, removed, field.slice(added.length + removed.length + 2)];
}

function nameStatus(letter: string): LineCounts["status"] {
	if (letter === "A") return "added";
	if (letter === "D") return "deleted";
	return letter === "R" ? "renamed" : "modified";
}
