import type { HostNeutralTool, ToolOutcome } from "../../contract/tool.ts";
import { findRipgrep } from "../../process/find-ripgrep.ts";
import { type CommandEnding, runCommand } from "../../process/run-command.ts";
import { DEFAULT_LIMIT, MAX_LIMIT, PAGE_PARAMETERS, pageResults } from "./page-results.ts";
import { type KnownOption, type ParsedOption, parseKnownOptions } from "./parse-known-options.ts";
import {
	answerInput,
	readArguments,
	readCount,
	readText,
	ToolInputError,
	toReply,
} from "./read-arguments.ts";
import { resolveInside } from "./resolve-inside.ts";

const TIMEOUT_MS = 30_000;
const MAX_OUTPUT_BYTES = 8 * 1024 * 1024;
const MAX_MEMORY_MB = 1024;
const MAX_COLUMNS = 400;
const MAX_PATTERN_CHARS = 4000;
const MAX_PATHS = 50;

const flag = (name: string): KnownOption => ({ name, kind: "flag" });
const number = (name: string): KnownOption => ({ name, kind: "number" });
const text = (name: string): KnownOption => ({ name, kind: "text" });

/** Nothing here starts a program, reads a list of patterns or follows a link. */
const OPTIONS: Readonly<Record<string, KnownOption>> = {
	"-i": flag("--ignore-case"),
	"--ignore-case": flag("--ignore-case"),
	"-s": flag("--case-sensitive"),
	"--case-sensitive": flag("--case-sensitive"),
	"-S": flag("--smart-case"),
	"--smart-case": flag("--smart-case"),
	"-w": flag("--word-regexp"),
	"--word-regexp": flag("--word-regexp"),
	"-x": flag("--line-regexp"),
	"--line-regexp": flag("--line-regexp"),
	"-F": flag("--fixed-strings"),
	"--fixed-strings": flag("--fixed-strings"),
	"-v": flag("--invert-match"),
	"--invert-match": flag("--invert-match"),
	"-l": flag("--files-with-matches"),
	"--files-with-matches": flag("--files-with-matches"),
	"-c": flag("--count"),
	"--count": flag("--count"),
	"-o": flag("--only-matching"),
	"--only-matching": flag("--only-matching"),
	"-n": flag("--line-number"),
	"--line-number": flag("--line-number"),
	"-U": flag("--multiline"),
	"--multiline": flag("--multiline"),
	"--hidden": flag("--hidden"),
	"--no-ignore": flag("--no-ignore"),
	"-A": number("--after-context"),
	"--after-context": number("--after-context"),
	"-B": number("--before-context"),
	"--before-context": number("--before-context"),
	"-C": number("--context"),
	"--context": number("--context"),
	"-m": number("--max-count"),
	"--max-count": number("--max-count"),
	"--max-depth": number("--max-depth"),
	"-g": text("--glob"),
	"--glob": text("--glob"),
	"--iglob": text("--iglob"),
	"-t": text("--type"),
	"--type": text("--type"),
	"-T": text("--type-not"),
	"--type-not": text("--type-not"),
};

export function createRipgrepTool(options: {
	readonly env: Readonly<Record<string, string | undefined>>;
}): HostNeutralTool {
	return {
		name: "bash_ripgrep",
		label: "Ripgrep",
		description:
			"Search the text of files in the working directory with ripgrep. Results are path:line:text, sorted by path. Ignored files are skipped.",
		parameters: {
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
		},
		execute: (input, context) =>
			answerInput(async () => {
				const args = readArguments(input, ["pattern", "files", "extra_args", "limit", "offset"]);
				const pattern = readText(args, "pattern");
				if (pattern.length > MAX_PATTERN_CHARS)
					throw new ToolInputError(`pattern is longer than ${MAX_PATTERN_CHARS} characters`);
				const extra = parseKnownOptions(args["extra_args"], OPTIONS);
				const paths = await resolvePaths(context.cwd, readPaths(args["files"]));
				const command = findRipgrep(options.env);
				if (command === undefined) throw new ToolInputError("ripgrep is not available on this machine");
				const ending = await runCommand({
					command,
					args: buildArguments(pattern, extra, paths),
					cwd: context.cwd,
					// No RIPGREP_CONFIG_PATH, and no PATH to find a helper program in.
					env: {},
					timeoutMs: TIMEOUT_MS,
					signal: context.signal,
					maxStdoutBytes: MAX_OUTPUT_BYTES,
					maxRssMb: MAX_MEMORY_MB,
				});
				const limit = readCount(args, "limit", DEFAULT_LIMIT, MAX_LIMIT);
				return toOutcome(
					ending,
					readCount(args, "offset", 0, Number.MAX_SAFE_INTEGER),
					limit || DEFAULT_LIMIT,
				);
			}),
	};
}

function readPaths(value: unknown): readonly string[] {
	if (value === undefined || value === null || value === "") return ["."];
	const paths = typeof value === "string" ? [value] : value;
	if (!Array.isArray(paths) || !paths.every((path) => typeof path === "string") || paths.length > MAX_PATHS) {
		throw new ToolInputError(`files must be a path, or a list of at most ${MAX_PATHS} paths`);
	}
	return paths.length === 0 ? ["."] : paths;
}

async function resolvePaths(cwd: string, paths: readonly string[]): Promise<readonly string[]> {
	const resolved = await Promise.all(paths.map((path) => resolveInside(cwd, path)));
	return resolved.map(({ shown }) => shown);
}

/** Values are joined to their option and the pattern follows `-e`, so that none of them can pose as an option. */
function buildArguments(pattern: string, extra: readonly ParsedOption[], paths: readonly string[]): string[] {
	return [
		...["--no-config", "--no-messages", "--no-follow", "--color=never", "--no-heading", "--with-filename"],
		...["--line-number", "--sort=path", `--max-columns=${MAX_COLUMNS}`, "--max-columns-preview"],
		...extra.map(({ name, value }) => (value === undefined ? name : `${name}=${value}`)),
		...["-e", pattern, "--"],
		...(paths.length === 1 && paths[0] === "." ? ["./"] : paths.map((path) => `./${path}`)),
	];
}

function toOutcome(ending: CommandEnding, offset: number, limit: number): ToolOutcome {
	if (ending.reason === "aborted") throw new ToolInputError("the search was stopped");
	const isPartial = ending.reason !== "exit";
	const hasResults = ending.stdout.length > 0;
	if (!hasResults && (isPartial || (ending.exitCode ?? 2) > 1)) {
		throw new ToolInputError(ending.message ?? (ending.stderr.trim().slice(0, 500) || "ripgrep failed"));
	}
	const lines = ending.stdout.toString("utf8").split("\n");
	if (lines.at(-1) === "") lines.pop();
	const page = pageResults(
		lines.map((line) => line.replace(/^\.\//, "")),
		offset,
		limit,
		isPartial,
	);
	return toReply(isPartial ? { ...page, note: `Incomplete: ${ending.message ?? ending.reason}` } : page);
}
