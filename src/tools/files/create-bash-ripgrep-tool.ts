import { canonicalPath, defined } from "@deputize/ground";
import { answerAsJson, toJsonReply } from "../../contract/answer-as-json.ts";
import { type InputOf, parseToolInput } from "../../contract/parse-tool-input.ts";
import type { HostNeutralTool, ToolOutcome } from "../../contract/tool.ts";
import { createOpenTest } from "../../judge/create-open-test.ts";
import { openInside } from "../../judge/open-inside.ts";
import type { FileToolOptions } from "./file-tool-options.ts";
import { describeUnreadable } from "./keep-lines.ts";
import { DEFAULT_LIMIT, MAX_LIMIT, PAGE_PARAMETERS, pageResults } from "./page-results.ts";
import {
	type KnownOption,
	type OptionKind,
	type ParsedOption,
	parseKnownOptions,
} from "./parse-known-options.ts";
import { listExclusions, type RipgrepAnswer, runRipgrep } from "./run-ripgrep.ts";

const MAX_COLUMNS = 400;
const MAX_PATTERN_CHARS = 4000;
const MAX_PATHS = 50;

/** Nothing here starts a program, reads a list of patterns or follows a link. */
const OPTION_ROWS: readonly (readonly [kind: OptionKind, ...names: string[]])[] = [
	["flag", "-i", "--ignore-case"],
	["flag", "-s", "--case-sensitive"],
	["flag", "-S", "--smart-case"],
	["flag", "-w", "--word-regexp"],
	["flag", "-x", "--line-regexp"],
	["flag", "-F", "--fixed-strings"],
	["flag", "-v", "--invert-match"],
	["flag", "-l", "--files-with-matches"],
	["flag", "-c", "--count"],
	["flag", "-o", "--only-matching"],
	["flag", "-n", "--line-number"],
	["flag", "-U", "--multiline"],
	["flag", "--hidden"],
	["flag", "--no-ignore"],
	["number", "-A", "--after-context"],
	["number", "-B", "--before-context"],
	["number", "-C", "--context"],
	["number", "-m", "--max-count"],
	["number", "--max-depth"],
	["text", "-g", "--glob"],
	["text", "--iglob"],
	["text", "-t", "--type"],
	["text", "-T", "--type-not"],
];

/** By its short and its long name, which ripgrep is given. */
const OPTIONS: Readonly<Record<string, KnownOption>> = Object.fromEntries(
	OPTION_ROWS.flatMap(([kind, ...names]) =>
		names.map((name) => [name, { kind, name: names.at(-1) ?? name }]),
	),
);

const PARAMETERS = {
	type: "object",
	properties: {
		pattern: { type: "string", description: "Regular expression (Rust syntax)." },
		files: { type: "string", description: 'File or directory to search (default ".").' },
		extra_args: {
			type: "array",
			items: { type: "string" },
			description: `Options, each value as the next item: ${Object.keys(OPTIONS).join(" ")}.`,
		},
		...PAGE_PARAMETERS,
	},
	required: ["pattern"],
	additionalProperties: false,
} as const;

/** What is accepted beyond what is asked for: several paths, and 0 for the usual number of results. */
const ACCEPTED = {
	...PARAMETERS,
	properties: {
		...PARAMETERS.properties,
		pattern: { type: "string", maxLength: MAX_PATTERN_CHARS },
		files: { type: ["string", "array"], items: { type: "string" }, maxItems: MAX_PATHS },
		limit: { type: "integer", minimum: 0, maximum: MAX_LIMIT },
	},
} as const;

export function createBashRipgrepTool({ judge, env }: FileToolOptions): HostNeutralTool {
	return {
		name: "bash_ripgrep",
		label: "Ripgrep",
		description:
			"Search the text of files in the working directory with ripgrep. Results are path:line:text, sorted by path. Ignored files are skipped.",
		parameters: PARAMETERS,
		execute: (input, { cwd, signal }) =>
			answerAsJson(async () => {
				const request = parseToolInput(input, ACCEPTED);
				const extra = parseKnownOptions(request.extra_args, OPTIONS);
				const paths = [request.files ?? "."]
					.flat()
					.map((path) => openInside(path, { cwd, judge }, (_entry, { shown }) => shown));
				const root = canonicalPath(cwd);
				const answer = await runRipgrep(
					buildRipgrepArguments(
						request.pattern,
						[...extra.map(renderOption), ...listExclusions(root, judge)],
						paths.length === 0 ? ["."] : paths,
					),
					{ cwd: root, env, signal },
				);
				return toMatchesReply(answer, createOpenTest(root, judge), request);
			}),
	};
}

/** Values are joined to their option and the pattern follows `-e`, so that none of them can pose as an option. */
function buildRipgrepArguments(
	pattern: string,
	extra: readonly string[],
	paths: readonly string[],
): readonly string[] {
	return [
		...["--no-heading", "--with-filename", "--null"],
		...["--line-number", "--sort=path", `--max-columns=${MAX_COLUMNS}`, "--max-columns-preview"],
		...extra,
		...["-e", pattern, "--"],
		...paths.map((path) => (path === "." ? "./" : `./${path}`)),
	];
}

function renderOption({ name, value }: ParsedOption): string {
	return value === undefined ? name : `${name}=${value}`;
}

function toMatchesReply(
	{ lines, incomplete, unreadable }: RipgrepAnswer,
	isOpen: (path: string) => boolean,
	{ limit, offset = 0 }: InputOf<typeof ACCEPTED>,
): ToolOutcome {
	const open = lines.flatMap((line) => splitPaths(line).flatMap((part) => toFoundText(part, isOpen)));
	const page = pageResults(open, offset, limit || DEFAULT_LIMIT, incomplete !== undefined);
	const note = incomplete === undefined ? describeUnreadable(unreadable) : `Incomplete: ${incomplete}`;
	return toJsonReply(defined({ ...page, note }));
}

/** With --files-with-matches each path ends with a NUL instead of a line feed. */
function splitPaths(line: string): readonly string[] {
	return line.endsWith("\0")
		? line
				.slice(0, -1)
				.split("\0")
				.map((path) => `${path}\0`)
		: [line];
}

/** The path ends at the NUL after it; what follows depends on the options. */
function toFoundText(line: string, isOpen: (path: string) => boolean): readonly string[] {
	const end = line.indexOf("\0");
	if (end === -1) return [line];
	const path = line.slice(0, end).replace(/^\.\//, "");
	if (!isOpen(path)) return [];
	const rest = line.slice(end + 1);
	if (rest === "") return [path];
	const isContext = /^\d+-/.test(rest);
	return [`${path}${isContext ? "-" : ":"}${rest}`];
}
