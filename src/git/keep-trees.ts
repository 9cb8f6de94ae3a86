import { rmSync } from "node:fs";
import { join } from "node:path";
import { writeAtomically } from "@deputize/ground";
import {
	COUNT_LINES,
	type LineCounts,
	type TreeDifference,
	type TreeFile,
	toChangedLines,
} from "./compare-trees.ts";
import type { Store } from "./open-store.ts";

const SIDES = ["before", "after"] as const;

/**
 * Git marks objects that it finds as used, also borrowed ones, so trees are written where none are seen. What is in the one file
 * is not kept twice.
 */
const KEEP = `
write() {
	GIT_INDEX_FILE="$1/index.$2" "$0" update-index -z --index-info <"$1/rows.$2" || exit 1
	(unset GIT_ALTERNATE_OBJECT_DIRECTORIES; GIT_INDEX_FILE="$1/index.$2" "$0" write-tree --missing-ok) || exit 1
}
before=$(write "$1" before) && after=$(write "$1" after) || exit 1
printf '%s\\n' "$before" "$after" | "$0" pack-objects -q --revs "$1/objects/pack/pack" >/dev/null || exit 1
(unset GIT_ALTERNATE_OBJECT_DIRECTORIES; "$0" prune-packed -q)
printf '%s\\0' "$before" "$after"
"$0" diff-tree ${COUNT_LINES} "$before" "$after"
`;

/**
 * Two trees of nothing but what is different, and one file in the store with all that is in them. It needs nothing that is
 * borrowed any more. Fails when a content is missing.
 */
export async function keepTrees(
	store: Store,
	entries: readonly TreeDifference[],
): Promise<{ readonly before: string; readonly after: string; readonly lines: readonly LineCounts[] }> {
	const files = SIDES.flatMap((side) => [`index.${side}`, `rows.${side}`]).map((name) =>
		join(store.directory, name),
	);
	const clear = (): void => {
		for (const file of files) rmSync(file, { force: true });
	};
	clear();
	try {
		for (const side of SIDES) {
			const lines = entries.flatMap((entry) => toIndexLine(entry.path, entry[side]) ?? []);
			writeAtomically(join(store.directory, `rows.${side}`), Buffer.from(lines.join(""), "latin1"));
		}
		const told = await store.script(KEEP, { args: [store.directory] });
		const [before = "", after = "", ...fields] = told.toString("latin1").split("\0");
		return { before, after, lines: toChangedLines(fields) };
	} finally {
		clear();
	}
}

export function toIndexLine(path: string, file: TreeFile | undefined): string | undefined {
	return file === undefined ? undefined : `${file.mode} ${file.blob}\t${path}\0`;
}
