export interface ChangedLine {
	readonly line: number;
	readonly text: string;
}

export interface ChangedFile {
	readonly path: string;
	/** By their number in the new file. */
	readonly added: readonly ChangedLine[];
	/** By their number in the old file. */
	readonly removed: readonly ChangedLine[];
	readonly isDeleted: boolean;
}

export const MAX_LINES = 20_000;
export const MAX_LINE_CHARS = 519;
const HUNK = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/;
const NAME = /^(?:---|\+\+\+) (?:"?)(.+?)(?:"?)(?:\t.*)?$/;

/** Reads unified diffs as git and diff write them, anywhere in a text. Undefined when there is none. */
export function parseDiff(text: string): ChangedFile[] | undefined {
	if (!/^@@ -\d+(?:,\d+)? \+\d+(?:,\d+)? @@/m.test(text)) return undefined;
	const files: OpenFile[] = [];
	let old = "";
	let file: OpenFile | undefined;
	for (const line of text.split("\n").slice(0, MAX_LINES)) {
		const hunk = HUNK.exec(line);
		if (hunk !== null && file !== undefined) file.enter(hunk.slice(1));
		else if (file?.take(line) === true) continue;
		else if (line.startsWith("--- ")) old = cleanName(line);
		else if (line.startsWith("+++ ")) {
			const name = cleanName(line);
			file = openFile(name === "" ? old : name, name === "");
			files.push(file);
		}
	}
	return files.map(({ path, added, removed, isDeleted }) => ({ path, added, removed, isDeleted }));
}

/** Empty for the name of nothing. */
function cleanName(line: string): string {
	const name = NAME.exec(line)?.[1] ?? "";
	return name === "/dev/null" ? "" : name.replace(/^[ab]\//, "");
}

interface OpenFile extends ChangedFile {
	readonly added: ChangedLine[];
	readonly removed: ChangedLine[];
	/** First line and count of the old and of the new file, as the hunk's own line has them. */
	enter(numbers: readonly (string | undefined)[]): void;
	/** False when the line is none of a hunk. */
	take(line: string): boolean;
}

function openFile(path: string, isDeleted: boolean): OpenFile {
	const at = { old: 0, new: 0 };
	const left = { old: 0, new: 0 };
	const added: ChangedLine[] = [];
	const removed: ChangedLine[] = [];
	return {
		path,
		isDeleted,
		added,
		removed,
		enter([oldFirst, oldCount = "1", newFirst, newCount = "1"]) {
			Object.assign(at, { old: Number(oldFirst), new: Number(newFirst) });
			Object.assign(left, { old: Number(oldCount), new: Number(newCount) });
		},
		take(line) {
			// A hunk says how long it is: what follows it is no part of it, whatever it begins with.
			const isAdded = line.startsWith("+") && left.new > 0;
			const isRemoved = line.startsWith("-") && left.old > 0;
			const isKept = (line.startsWith(" ") || line === "") && left.old > 0 && left.new > 0;
			const text = line.slice(1, MAX_LINE_CHARS + 1);
			if (isAdded) added.push({ line: at.new, text });
			if (isRemoved) removed.push({ line: at.old, text });
			const inOld = isRemoved || isKept ? 1 : 0;
			const inNew = isAdded || isKept ? 1 : 0;
			Object.assign(at, { old: at.old + inOld, new: at.new + inNew });
			Object.assign(left, { old: left.old - inOld, new: left.new - inNew });
			return inOld + inNew > 0;
		},
	};
}
