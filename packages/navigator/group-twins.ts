import type { RankedFile } from "./rank-files.ts";

export interface TwinGroup {
	readonly file: RankedFile;
	readonly twins: readonly string[];
}

const MAX_GROUPED_FILES = 60;
const MAX_TWINS = 3;

/** A package that ships one module in several formats would fill the list with copies of it. */
export function groupTwins(ranked: readonly RankedFile[]): TwinGroup[] {
	const groups = new Map<string, { file: RankedFile; twins: string[] }>();
	for (const file of ranked.slice(0, MAX_GROUPED_FILES)) {
		const name = (file.path.split("/").at(-1) ?? "").replace(/\.[a-z.]*$/, "");
		const line = file.lines[0]?.text.trim();
		const key = line === undefined ? file.path : `${name}\n${line}`;
		const group = groups.get(key);
		if (group === undefined) groups.set(key, { file, twins: [] });
		else if (group.twins.length < MAX_TWINS) group.twins.push(file.path);
	}
	return [...groups.values()];
}
