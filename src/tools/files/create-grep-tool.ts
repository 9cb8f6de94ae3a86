import { basename, dirname } from "node:path";
import { type InputOf, parseToolInput } from "../../contract/parse-tool-input.ts";
import type { HostNeutralTool, ToolContext } from "../../contract/tool.ts";
import { createOpenTest } from "../../judge/create-open-test.ts";
import { openJudged } from "../../judge/open-judged.ts";
import { resolveSpelling } from "../../judge/resolve-spelling.ts";
import type { FileToolOptions } from "./file-tool-options.ts";
import { addNotices, describeUnreadable, formatSize, keepLines, MAX_OUTPUT_BYTES } from "./keep-lines.ts";
import { type FoundLine, parseFoundLines } from "./parse-found-lines.ts";
import { listExclusions, runRipgrep } from "./run-ripgrep.ts";

const DEFAULT_LIMIT = 100;
const MAX_LINE_CHARS = 500;
/** Longer lines are cut by ripgrep already, so that one minified file does not fill the answer. */
const MAX_COLUMNS = 4000;

const GREP_PARAMETERS = {
	type: "object",
	required: ["pattern"],
	properties: {
		pattern: { type: "string", description: "Search pattern (regex or literal string)" },
		path: { type: "string", description: "Directory or file to search (default: current directory)" },
		glob: { type: "string", description: "Filter files by glob pattern, e.g. '*.ts' or '**/*.spec.ts'" },
		ignoreCase: { type: "boolean", description: "Case-insensitive search (default: false)" },
		literal: {
			type: "boolean",
			description: "Treat pattern as literal string instead of regex (default: false)",
		},
		context: {
			type: "number",
			description: "Number of lines to show before and after each match (default: 0)",
		},
		limit: { type: "number", description: `Maximum number of matches to return (default: ${DEFAULT_LIMIT})` },
	},
} as const;

/** `grep` with pi's parameters and answers, under our judge; the answer does not depend on which thread was faster. */
export function createGrepTool(options: FileToolOptions): HostNeutralTool {
	return {
		name: "grep",
		label: "grep",
		description: `Search file contents for a pattern. Returns matching lines with file paths and line numbers. Respects .gitignore. Output is truncated to ${DEFAULT_LIMIT} matches or ${MAX_OUTPUT_BYTES / 1024}KB (whichever is hit first). Long lines are truncated to ${MAX_LINE_CHARS} chars.`,
		parameters: GREP_PARAMETERS,
		async execute(input, context) {
			const request = parseToolInput(input, GREP_PARAMETERS);
			return { text: await searchFiles(request, options, context), details: {}, isError: false };
		},
	};
}

async function searchFiles(
	request: InputOf<typeof GREP_PARAMETERS>,
	{ judge, env }: FileToolOptions,
	{ signal }: ToolContext,
): Promise<string> {
	const place = findPlace(request.path ?? ".", judge);
	const found = await runRipgrep(
		[
			...["--null", "--line-number", "--with-filename", "--no-heading", "--hidden", "--no-require-git"],
			...["--no-context-separator", `--max-columns=${MAX_COLUMNS}`, "--max-columns-preview"],
			...(request.ignoreCase ? ["--ignore-case"] : []),
			...(request.literal ? ["--fixed-strings"] : []),
			...(request.glob ? [`--glob=${request.glob}`] : []),
			...(request.context && request.context > 0 ? [`--context=${Math.floor(request.context)}`] : []),
			...place.exclusions,
			...["-e", request.pattern, "--", place.target],
		],
		{ cwd: place.directory, env, signal },
	);
	const isOpen = createOpenTest(place.directory, judge);
	const lines = parseFoundLines(found.lines).filter(({ path }) => isOpen(path));
	const page = takeMatches(lines, Math.max(1, Math.floor(request.limit ?? DEFAULT_LIMIT)));
	const unreadable = describeUnreadable(found.unreadable);
	if (page.lines.length === 0) return addNotices("No matches found", [found.incomplete, unreadable]);
	const rendered = page.lines.map(renderFoundLine);
	const head = keepLines(rendered);
	return addNotices(head.lines.join("\n"), [
		page.hasMore &&
			`${page.limit} matches limit reached. Use limit=${page.limit * 2} for more, or refine pattern`,
		head.cutBy && `${formatSize(MAX_OUTPUT_BYTES)} limit reached`,
		page.lines.some(({ text }) => text.length > MAX_LINE_CHARS) &&
			`Some lines truncated to ${MAX_LINE_CHARS} chars. Use read tool to see full lines`,
		found.incomplete,
		unreadable,
	]);
}

function findPlace(path: string, judge: FileToolOptions["judge"]) {
	const entry = openJudged(resolveSpelling(path, judge), judge, path);
	entry.close();
	const { realPath } = entry;
	if (!entry.stats.isDirectory())
		return { directory: dirname(realPath), target: `./${basename(realPath)}`, exclusions: [] };
	// Git's own records are searched only if they are asked for by name.
	return {
		directory: realPath,
		target: "./",
		exclusions: ["--glob=!.git", ...listExclusions(realPath, judge)],
	};
}

function takeMatches(lines: readonly FoundLine[], limit: number) {
	const matches = lines.flatMap((line, index) => (line.isMatch ? [index] : []));
	const beyond = matches[limit];
	if (beyond === undefined) return { lines, limit, hasMore: false };
	const last = matches[limit - 1] ?? 0;
	// What comes before the next match belongs to it as much as to the last one shown.
	const end = lines[beyond]?.path === lines[last]?.path ? last + 1 : beyond;
	return { lines: lines.slice(0, end), limit, hasMore: true };
}

function renderFoundLine({ path, line, text, isMatch }: FoundLine): string {
	const shown = text.length > MAX_LINE_CHARS ? `${text.slice(0, MAX_LINE_CHARS)}... [truncated]` : text;
	return isMatch ? `${path}:${line}: ${shown}` : `${path}-${line}- ${shown}`;
}
