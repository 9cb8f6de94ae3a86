import type { RankedFile } from "./rank-files.ts";

export interface TwinGroup {
	readonly file: RankedFile;
	/** Files whose best line is the same. */
	readonly twins: readonly string[];
	/** The same module in another format, by its path. */
	readonly formats: readonly string[];
}

const MAX_GROUPED_FILES = 60;
const MAX_TWINS = 3;
/** Directories that say in which format modules were built. */
const FORMAT =
	/(^|\/)(?:cjs|esm|es|es2015|es6|esm5|esm2015|commonjs|umd|module|node|browser|dist-cjs|dist-esm|dist-es|mjs)(?=\/)/g;
const BUILT_FILE = /^(.*)\.[cm]?js$/;

/** A package that ships one module in several formats would fill the list with copies of it. */
export function groupTwins(ranked: readonly RankedFile[]): TwinGroup[] {
	const groups: { file: RankedFile; twins: string[]; formats: string[] }[] = [];
	const byLine = new Map<string, (typeof groups)[number]>();
	const byModule = new Map<string, (typeof groups)[number]>();
	for (const file of ranked.slice(0, MAX_GROUPED_FILES)) {
		const name = (file.path.split("/").at(-1) ?? "").replace(/\.[a-z.]*$/, "");
		const line = file.lines[0]?.text.trim();
		const key = line === undefined ? file.path : `${name}\n${line}`;
		const module = toModule(file.path);
		const [twin, format] = [byLine.get(key), byModule.get(module)];
		if (twin !== undefined && twin.twins.length < MAX_TWINS) twin.twins.push(file.path);
		else if (twin === undefined && format !== undefined && format.formats.length < MAX_TWINS)
			format.formats.push(file.path);
		if (twin !== undefined || format !== undefined) continue;
		const group = { file, twins: [], formats: [] };
		groups.push(group);
		byLine.set(key, group);
		byModule.set(module, group);
	}
	return groups;
}

function toModule(path: string): string {
	return BUILT_FILE.exec(path)?.[1]?.replaceAll(FORMAT, "$1*") ?? path;
}
