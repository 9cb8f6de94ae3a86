import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { parseToolInput } from "../../contract/parse-tool-input.ts";
import type { HostNeutralTool } from "../../contract/tool.ts";
import { openJudgedDirectory } from "../../judge/open-judged.ts";
import { resolveSpelling } from "../../judge/resolve-spelling.ts";
import type { FileToolOptions } from "./file-tool-options.ts";
import { addNotices, formatSize, keepLines, MAX_OUTPUT_BYTES } from "./keep-lines.ts";

const DEFAULT_LIMIT = 500;

const LS_PARAMETERS = {
	type: "object",
	properties: {
		path: { type: "string", description: "Directory to list (default: current directory)" },
		limit: { type: "number", description: `Maximum number of entries to return (default: ${DEFAULT_LIMIT})` },
	},
} as const;

/** `ls` with pi's parameters and answers, under our judge. The names of closed entries are shown too. */
export function createLsTool({ judge }: Pick<FileToolOptions, "judge">): HostNeutralTool {
	return {
		name: "ls",
		label: "ls",
		description: `List directory contents. Returns entries sorted alphabetically, with '/' suffix for directories. Includes dotfiles. Output is truncated to ${DEFAULT_LIMIT} entries or ${MAX_OUTPUT_BYTES / 1024}KB (whichever is hit first).`,
		parameters: LS_PARAMETERS,
		async execute(input) {
			const { path = ".", limit = DEFAULT_LIMIT } = parseToolInput(input, LS_PARAMETERS);
			const entry = openJudgedDirectory(resolveSpelling(path, judge), judge, path);
			try {
				const text = renderListedNames(
					entry.realPath,
					readdirSync(entry.realPath),
					Math.max(1, Math.floor(limit)),
				);
				return { text, details: {}, isError: false };
			} finally {
				entry.close();
			}
		},
	};
}

function renderListedNames(directory: string, names: readonly string[], limit: number): string {
	const folded = names.map((name) => ({ name, key: name.toLowerCase() }));
	const sorted = folded.sort((left, right) => left.key.localeCompare(right.key)).map(({ name }) => name);
	const shown = sorted.slice(0, limit).flatMap((name) => describeEntry(directory, name));
	if (shown.length === 0) return "(empty directory)";
	const head = keepLines(shown);
	return addNotices(head.lines.join("\n"), [
		sorted.length > limit && `${limit} entries limit reached. Use limit=${limit * 2} for more`,
		head.cutBy && `${formatSize(MAX_OUTPUT_BYTES)} limit reached`,
	]);
}

/** A link that leads nowhere is left out: for a reader it does not exist. */
function describeEntry(directory: string, name: string): readonly string[] {
	try {
		return [statSync(join(directory, name)).isDirectory() ? `${name}/` : name];
	} catch {
		return [];
	}
}
