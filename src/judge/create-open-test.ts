import { join } from "node:path";
import { isInside, rememberResults } from "@deputize/ground";
import type { Judge } from "./create-judge.ts";

/**
 * Whether a file that a search found below a real directory may be shown. The search must follow no link, so that the
 * path it tells is a real one.
 */
export function createOpenTest(directory: string, judge: Judge): (path: string) => boolean {
	const tree = judge.workingTree();
	if (tree !== undefined && isInside(tree, directory) && judge.closedBelow(directory).length === 0)
		return () => true;
	return rememberResults((path) => judge.explain(join(directory, path)) === undefined);
}
