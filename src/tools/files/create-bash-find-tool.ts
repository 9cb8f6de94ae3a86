import type { Dirent } from "node:fs";
import { readdir, stat } from "node:fs/promises";
import { basename, join } from "node:path";
import { createGlob, ToolError } from "@deputize/ground";
import { answerAsJson, toJsonReply } from "../../contract/answer-as-json.ts";
import { parseToolInput } from "../../contract/parse-tool-input.ts";
import type { HostNeutralTool } from "../../contract/tool.ts";
import type { Judge } from "../../judge/create-judge.ts";
import { openInside } from "../../judge/open-inside.ts";
import { compileGlob } from "./compile-glob.ts";
import type { FileToolOptions } from "./file-tool-options.ts";
import { DEFAULT_LIMIT, MAX_LIMIT, PAGE_PARAMETERS, pageResults } from "./page-results.ts";
import { type KnownOption, type ParsedOption, parseKnownOptions } from "./parse-known-options.ts";

const MAX_ENTRIES = 200_000;
const MAX_PATTERN_CHARS = 500;
/** Almost never what a search is about, and often most of the tree. Searched when the path leads into them. */
const SKIPPED_DIRECTORIES = new Set([".git", "node_modules"]);

const OPTIONS: Readonly<Record<string, KnownOption>> = {
	"-maxdepth": { name: "maxdepth", kind: "number" },
	"-mindepth": { name: "mindepth", kind: "number" },
	"-name": { name: "name", kind: "text" },
	"-iname": { name: "iname", kind: "text" },
	"-path": { name: "path", kind: "text" },
	"-ipath": { name: "ipath", kind: "text" },
	"-type": { name: "type", kind: "text" },
	"-empty": { name: "empty", kind: "flag" },
};

interface Entry {
	readonly path: string;
	readonly real: string;
	readonly depth: number;
	readonly type: "f" | "d" | "l" | "other";
}

const PARAMETERS = {
	type: "object",
	properties: {
		path: { type: "string", description: 'Directory to search (default ".").' },
		name: { type: "string", description: "Shell pattern the name must match, such as *.ts." },
		type_filter: {
			type: "string",
			enum: ["", "f", "d", "l"],
			description: "f files, d directories, l links.",
		},
		extra_args: {
			type: "array",
			items: { type: "string" },
			description: `More conditions, each with its value as the next item: ${Object.keys(OPTIONS).join(" ")}.`,
		},
		...PAGE_PARAMETERS,
	},
	required: [],
	additionalProperties: false,
} as const;

/** What is accepted beyond what is asked for: 0 for the usual number of results. */
const ACCEPTED = {
	...PARAMETERS,
	properties: { ...PARAMETERS.properties, limit: { type: "integer", minimum: 0, maximum: MAX_LIMIT } },
} as const;

/** Walks the tree itself: no program is started, and links are listed but never followed. */
export function createBashFindTool({ judge }: Pick<FileToolOptions, "judge">): HostNeutralTool {
	return {
		name: "bash_find",
		label: "Find",
		description:
			"Find files and directories in the working directory by name. Directories end with a slash. node_modules and .git are skipped unless path leads into them.",
		parameters: PARAMETERS,
		execute: (input, { cwd, signal }) =>
			answerAsJson(async () => {
				const request = parseToolInput(input, ACCEPTED);
				const start = openInside(request.path ?? ".", { cwd, judge }, (_entry, found) => found);
				const options = parseKnownOptions(request.extra_args, OPTIONS);
				const isWanted = createFilter(options, request.name ?? "", request.type_filter ?? "");
				const maxDepth = options.findLast((option) => option.name === "maxdepth")?.value;
				const { found, isPartial } = await collectMatches(
					walkTree({ ...start, maxDepth: Number(maxDepth ?? Number.POSITIVE_INFINITY), judge, signal }),
					isWanted,
				);
				if (signal.aborted) throw new ToolError("ABORTED", "the search was stopped");
				const limit = request.limit || DEFAULT_LIMIT;
				const page = pageResults(found, request.offset ?? 0, limit, isPartial);
				const note = `Stopped after ${MAX_ENTRIES} entries; search a smaller path.`;
				return toJsonReply(isPartial ? { ...page, note } : page);
			}),
	};
}

async function collectMatches(entries: AsyncGenerator<Entry>, isWanted: (entry: Entry) => Promise<boolean>) {
	const found: string[] = [];
	let seen = 0;
	for await (const entry of entries) {
		seen += 1;
		if (await isWanted(entry)) found.push(entry.type === "d" ? `${entry.path}/` : entry.path);
		if (seen >= MAX_ENTRIES) break;
	}
	return { found, isPartial: seen >= MAX_ENTRIES };
}

function createFilter(options: readonly ParsedOption[], name: string, type: string) {
	const fields = [
		{ name: "name", value: name },
		{ name: "type", value: type },
	].filter(({ value }) => value !== "");
	const tests = [...fields, ...options].map((option) => createTest(option.name, option.value ?? ""));
	return async (entry: Entry): Promise<boolean> => {
		for (const test of tests) if (!(await test(entry))) return false;
		return true;
	};
}

function createTest(option: string, value: string): (entry: Entry) => boolean | Promise<boolean> {
	if (value.length > MAX_PATTERN_CHARS)
		throw new ToolError("INVALID_INPUT", `${option} is longer than ${MAX_PATTERN_CHARS} characters`);
	if (option === "type") {
		if (!["f", "d", "l"].includes(value)) throw new ToolError("INVALID_INPUT", "the type must be f, d or l");
		return (entry) => entry.type === value;
	}
	if (option === "mindepth") return (entry) => entry.depth >= Number(value);
	if (option === "empty") return isEmpty;
	if (option === "name" || option === "iname") {
		const matches = compileShellGlob(value, option === "iname");
		return (entry) => matches(basename(entry.path));
	}
	if (option === "path" || option === "ipath") {
		const matches = compileShellGlob(value, option === "ipath");
		return (entry) => matches(entry.path) || matches(`./${entry.path}`);
	}
	return () => true;
}

function compileShellGlob(pattern: string, ignoreCase: boolean): (text: string) => boolean {
	return compileGlob(() => createGlob(pattern, { ignoreCase, crossesSlashes: true }));
}

async function isEmpty(entry: Entry): Promise<boolean> {
	if (entry.type === "d") return (await readdir(entry.real)).length === 0;
	return entry.type === "f" && (await stat(entry.real)).size === 0;
}

interface WalkPlan {
	readonly real: string;
	readonly shown: string;
	readonly maxDepth: number;
	readonly judge: Judge;
	readonly signal: AbortSignal;
}

async function* walkTree({ real, shown, ...plan }: WalkPlan): AsyncGenerator<Entry> {
	const waiting: Pick<Entry, "real" | "path" | "depth">[] = [{ real, path: shown, depth: 0 }];
	for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
		if (next.depth >= plan.maxDepth) continue;
		for (const child of await listDirectory(next.real)) {
			if (plan.signal.aborted) return;
			const entry = {
				path: next.path === "." ? child.name : `${next.path}/${child.name}`,
				real: join(next.real, child.name),
				depth: next.depth + 1,
				type: toType(child),
			};
			yield entry;
			if (isEntered(entry, plan.judge)) waiting.push(entry);
		}
	}
}

/** A closed directory is listed by name but not entered. */
function isEntered({ type, real }: Entry, judge: Judge): boolean {
	return type === "d" && !SKIPPED_DIRECTORIES.has(basename(real)) && judge.explain(real) === undefined;
}

/** An unreadable directory counts as empty, and so does a file. */
async function listDirectory(path: string): Promise<readonly Dirent[]> {
	const entries = await readdir(path, { withFileTypes: true }).catch((): Dirent[] => []);
	return entries.sort((left, right) => (left.name < right.name ? -1 : 1));
}

function toType(entry: Dirent): Entry["type"] {
	if (entry.isFile()) return "f";
	if (entry.isDirectory()) return "d";
	return entry.isSymbolicLink() ? "l" : "other";
}
