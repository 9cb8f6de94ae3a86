import { relative, sep } from "node:path";
import type { Judge } from "../../judge/create-judge.ts";

/** Options that keep ripgrep out of closed places below a directory. */
export function listExclusions(directory: string, judge: Judge): readonly string[] {
	return judge
		.closedBelow(directory)
		.map((path) => relative(directory, path).split(sep).join("/"))
		.filter((path) => path !== "")
		.map((path) => `--glob=!/${path.replace(/[\\*?[\]{}!]/g, "\\$&")}`);
}
