import type { ChangedFile } from "../contract/changes.ts";
import type { LineCounts } from "../git/compare-trees.ts";
import { toShown } from "./to-shown.ts";

/** What a person is shown of a change. */
export function listChangedFiles(lines: readonly LineCounts[]): readonly Omit<ChangedFile, "isApplied">[] {
	return lines.map(({ path, from, ...rest }) => ({
		path: toShown(path),
		...(from === undefined ? {} : { from: toShown(from) }),
		...rest,
	}));
}
