import { join, relative, sep } from "node:path";
import type { Judge } from "../../judge/create-judge.ts";

/** Options that keep ripgrep out of closed places below a directory. */
export function listExclusions(directory: string, judge: Judge): readonly string[] {
	return judge
		.closedBelow(directory)
		.map((path) => relative(directory, path).split(sep).join("/"))
		.filter((path) => path !== "")
		.map((path) => `--glob=!/${path.replace(/[\\*?[\]{}!]/g, "\\$&")}`);
}

/**
 * Whether a file that a search found below a real directory may be shown. The search follows no link, so the path it
 * tells is a real one.
 */
export function createOpenTest(directory: string, judge: Judge): (path: string) => boolean {
	const known = new Map<string, boolean>();
	return (path) => {
		const before = known.get(path);
		if (before !== undefined) return before;
		const isOpen = judge.explain(join(directory, path)) === undefined;
		known.set(path, isOpen);
		return isOpen;
	};
}
