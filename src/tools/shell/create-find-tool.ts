import type { Dirent } from "node:fs";
import { readdir, stat } from "node:fs/promises";
import { basename, join } from "node:path";
import type { HostNeutralTool } from "../../contract/tool.ts";
import { createGlob } from "../../glob/create-glob.ts";
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

/** Walks the tree itself: no program is started, and links are listed but never followed. */
export function createFindTool(): HostNeutralTool {
	return {
		name: "bash_find",
		label: "Find",
		description:
			"Find files and directories in the working directory by name. Directories end with a slash. node_modules and .git are skipped unless path leads into them.",
		parameters: {
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
		},
		execute: (input, context) =>
			answerInput(async () => {
				const args = readArguments(input, ["path", "name", "type_filter", "extra_args", "limit", "offset"]);
				const start = await resolveInside(context.cwd, readText(args, "path", ".") || ".");
				const options = parseKnownOptions(args["extra_args"], OPTIONS);
				const type = readText(args, "type_filter", "");
				const isWanted = createFilter(options, readText(args, "name", ""), type);
				const maxDepth = findNumber(options, "maxdepth", Number.POSITIVE_INFINITY);
				const { found, isPartial } = await collectMatches(
					walk(start.real, start.shown, maxDepth, context.signal),
					isWanted,
				);
				const limit = readCount(args, "limit", DEFAULT_LIMIT, MAX_LIMIT);
				const offset = readCount(args, "offset", 0, MAX_ENTRIES);
				const page = pageResults(found, offset, limit || DEFAULT_LIMIT, isPartial);
				const note = `Stopped after ${MAX_ENTRIES} entries; search a smaller path.`;
				return toReply(isPartial ? { ...page, note } : page);
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

function findNumber(options: readonly ParsedOption[], name: string, fallback: number): number {
	const option = options.findLast((candidate) => candidate.name === name);
	return option === undefined ? fallback : Number(option.value);
}

function createFilter(options: readonly ParsedOption[], name: string, type: string) {
	const tests: ((entry: Entry) => boolean | Promise<boolean>)[] = [];
	const all = [...(name === "" ? [] : [{ name: "name", value: name }]), ...options];
	for (const { name: option, value = "" } of [
		...all,
		...(type === "" ? [] : [{ name: "type", value: type }]),
	]) {
		if (value.length > MAX_PATTERN_CHARS)
			throw new ToolInputError(`${option} is longer than ${MAX_PATTERN_CHARS} characters`);
		tests.push(createTest(option, value));
	}
	return async (entry: Entry): Promise<boolean> => {
		for (const test of tests) if (!(await test(entry))) return false;
		return true;
	};
}

function createTest(option: string, value: string): (entry: Entry) => boolean | Promise<boolean> {
	if (option === "type") {
		if (!["f", "d", "l"].includes(value)) throw new ToolInputError("the type must be f, d or l");
		return (entry) => entry.type === value;
	}
	if (option === "mindepth") return (entry) => entry.depth >= Number(value);
	if (option === "empty") return isEmpty;
	if (option === "name" || option === "iname") {
		const matches = createGlob(value, { ignoreCase: option === "iname", crossesSlashes: true });
		return (entry) => matches(basename(entry.path));
	}
	if (option === "path" || option === "ipath") {
		const matches = createGlob(value, { ignoreCase: option === "ipath", crossesSlashes: true });
		return (entry) => matches(entry.path) || matches(`./${entry.path}`);
	}
	return () => true;
}

async function isEmpty(entry: Entry): Promise<boolean> {
	if (entry.type === "d") return (await readdir(entry.real)).length === 0;
	return entry.type === "f" && (await stat(entry.real)).size === 0;
}

async function* walk(
	real: string,
	shown: string,
	maxDepth: number,
	signal: AbortSignal,
): AsyncGenerator<Entry> {
	const waiting: { real: string; shown: string; depth: number }[] = [{ real, shown, depth: 0 }];
	while (waiting.length > 0 && !signal.aborted) {
		const directory = waiting.shift();
		if (directory === undefined || directory.depth >= maxDepth) continue;
		for (const child of await listDirectory(directory.real)) {
			const path = directory.shown === "." ? child.name : `${directory.shown}/${child.name}`;
			const entry = {
				path,
				real: join(directory.real, child.name),
				depth: directory.depth + 1,
				type: toType(child),
			};
			yield entry;
			if (entry.type === "d" && !SKIPPED_DIRECTORIES.has(child.name)) {
				waiting.push({ real: entry.real, shown: path, depth: entry.depth });
			}
		}
	}
}

/** A directory that may not be read is like an empty one; a file has nothing in it. */
async function listDirectory(path: string): Promise<readonly Dirent[]> {
	try {
		const entries = await readdir(path, { withFileTypes: true });
		return entries.sort((left, right) => (left.name < right.name ? -1 : 1));
	} catch {
		return [];
	}
}

function toType(entry: Dirent): Entry["type"] {
	if (entry.isFile()) return "f";
	if (entry.isDirectory()) return "d";
	return entry.isSymbolicLink() ? "l" : "other";
}
