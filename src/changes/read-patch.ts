import type { ChangesPlace } from "../contract/changes.ts";
import { findChange, openStoreOf } from "./find-changes.ts";

/** As much as one answer takes. */
const MAX_BYTES = 512 * 1024 * 1024;

/** What `git apply` takes: exact, with modes, links, renamed files and such that are not text. Empty when nothing can be applied. */
export async function readPatch(place: ChangesPlace, id: string, maxBytes = MAX_BYTES): Promise<Buffer> {
	const found = findChange(place, id);
	const { trees } = found.record;
	if (trees === undefined) return Buffer.alloc(0);
	const options = ["--binary", "--full-index", "-M", "--no-ext-diff", "--no-textconv", "--no-color"];
	return openStoreOf(found, place).git(["diff-tree", "-r", "-p", ...options, trees.before, trees.after], {
		maxBytes,
	});
}
