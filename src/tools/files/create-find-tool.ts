import { createPathGlob } from "@deputize/ground";
import { type InputOf, parseToolInput } from "../../contract/parse-tool-input.ts";
import type { HostNeutralTool, ToolContext } from "../../contract/tool.ts";
import { createOpenTest } from "../../judge/create-open-test.ts";
import { openJudgedDirectory } from "../../judge/open-judged.ts";
import { resolveSpelling } from "../../judge/resolve-spelling.ts";
import { compileGlob } from "./compile-glob.ts";
import type { FileToolOptions } from "./file-tool-options.ts";
import { addNotices, describeUnreadable, keepLines, MAX_OUTPUT_BYTES } from "./keep-lines.ts";
import { comparePaths } from "./parse-found-lines.ts";
import { listExclusions, runRipgrep } from "./run-ripgrep.ts";

const DEFAULT_LIMIT = 1000;

const FIND_PARAMETERS = {
	type: "object",
	properties: {
		pattern: {
			type: "string",
			description: "Glob pattern to match files, e.g. '*.ts' or 'src/**/*.spec.ts'",
		},
		path: { type: "string", description: "Directory to search in (default: current directory)" },
		limit: { type: "number", description: `Maximum number of results (default: ${DEFAULT_LIMIT})` },
	},
	required: ["pattern"],
} as const;

/**
 * `find` with pi's parameters and answers. pi's own needs a recent fd, which few machines have and which it would try
 * to download; this one runs on ripgrep, so that every machine gives the same result.
 */
export function createFindTool(options: FileToolOptions): HostNeutralTool {
	return {
		name: "find",
		label: "find",
		description: `Search for files by glob pattern. Returns matching file paths relative to the search directory. Respects .gitignore. At most ${DEFAULT_LIMIT} results or ${MAX_OUTPUT_BYTES / 1024}KB.`,
		parameters: FIND_PARAMETERS,
		async execute(input, context) {
			const request = parseToolInput(input, FIND_PARAMETERS);
			return { text: await findFiles(request, options, context), details: {}, isError: false };
		},
	};
}

async function findFiles(
	request: InputOf<typeof FIND_PARAMETERS>,
	{ judge, env }: FileToolOptions,
	{ signal }: ToolContext,
): Promise<string> {
	const path = request.path ?? ".";
	const directory = openJudgedDirectory(resolveSpelling(path, judge), judge, path);
	directory.close();
	const matches = compileGlob(() => createPathGlob(request.pattern));
	const { realPath } = directory;
	const found = await runRipgrep(
		[
			// Without the pattern: a glob that matches a directory would switch .gitignore off for it.
			...["--files", "--hidden", "--no-require-git", "--glob=!.git"],
			...listExclusions(realPath, judge),
		],
		{ cwd: realPath, env, signal },
	);
	const isOpen = createOpenTest(realPath, judge);
	const files = found.lines.filter((file) => matches(file) && isOpen(file)).sort(comparePaths);
	const unreadable = describeUnreadable(found.unreadable);
	if (files.length === 0)
		return addNotices("No files found matching pattern", [found.incomplete, unreadable]);
	const limit = Math.max(1, Math.floor(request.limit ?? DEFAULT_LIMIT));
	const shown = keepLines(files.slice(0, limit)).lines;
	return addNotices(shown.join("\n"), [
		shown.length < files.length && `${shown.length} of ${files.length} results shown`,
		found.incomplete,
		unreadable,
	]);
}
