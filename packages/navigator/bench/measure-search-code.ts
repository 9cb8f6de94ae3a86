// What `search_code` saves a model: the same scripted model answers the development questions with and without it.
// Without: it greps the words of the question, longest first, one call each and at most eight, and after each reads 60 lines
// around the first match in the file with the most matches that it has not read; it stops when that is the right file.
// With: it asks `search_code` once, reads 60 lines at each of the first three files in turn, and goes on as above if none is right.
// Counted are calls and bytes of what the tools answered; a question not answered counts with all its calls.
// node packages/navigator/bench/measure-search-code.ts TREES_DIRECTORY
import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { DEFAULT_CONFIG } from "../../../src/contract/config.ts";
import type { HostNeutralTool } from "../../../src/contract/tool.ts";
import { createToolbox } from "../../../src/toolbox/create-toolbox.ts";
import { extractTerms } from "../extract-terms.ts";

interface Question {
	readonly package: string;
	readonly kind: string;
	readonly question: string;
	readonly files: readonly string[];
}

interface Spent {
	calls: number;
	bytes: number;
	found: boolean;
}

const MAX_GREPS = 8;
const READ_LINES = 60;
const MAX_SEARCH_READS = 3;
const trees = resolve(process.argv[2] ?? ".");
const questions = JSON.parse(
	readFileSync(join(import.meta.dirname, "development.json"), "utf8"),
) as Question[];
const { signal } = new AbortController();

async function openTools(cwd: string): Promise<ReadonlyMap<string, HostNeutralTool>> {
	const nowhere = join(trees, "nowhere");
	const toolbox = createToolbox({
		cwd,
		env: {},
		home: nowhere,
		agentDirectory: nowhere,
		config: () => DEFAULT_CONFIG,
		storeDirectory: () => nowhere,
		temporaryDirectory: () => nowhere,
		lsp: { mode: "child", allowedActions: [], projectTrusted: false },
	});
	return new Map((await toolbox.open(["grep", "read", "search_code"])).map((tool) => [tool.name, tool]));
}

async function answer({ package: name, question, files }: Question, withSearch: boolean): Promise<Spent> {
	const cwd = join(trees, name);
	const tools = await openTools(cwd);
	const spent: Spent = { calls: 0, bytes: 0, found: false };
	const read = new Set<string>();
	const call = async (tool: string, args: Record<string, unknown>): Promise<string> => {
		const { text } = await tools.get(tool)!.execute(args, { cwd, signal });
		spent.calls += 1;
		spent.bytes += Buffer.byteLength(text);
		return text;
	};
	const look = async (path: string, line: number): Promise<boolean> => {
		read.add(path);
		await call("read", { path, offset: Math.max(1, line - READ_LINES / 2), limit: READ_LINES });
		spent.found = files.includes(path);
		return spent.found;
	};
	if (withSearch) {
		const places = placesIn(await call("search_code", { query: question }));
		for (const [path, lines] of [...places].slice(0, MAX_SEARCH_READS))
			if (await look(path, lines[0] ?? 1)) return spent;
	}
	const words = extractTerms(question)
		.terms.map(({ text }) => text)
		.sort((a, b) => b.length - a.length);
	for (const word of words.slice(0, MAX_GREPS)) {
		const places = placesIn(await call("grep", { pattern: word, literal: true, ignoreCase: true }));
		const [best] = [...places].filter(([path]) => !read.has(path)).sort((a, b) => b[1].length - a[1].length);
		if (best !== undefined && (await look(best[0], best[1][0] ?? 1))) return spent;
	}
	return spent;
}

/** Files in the order they are first named, with their lines. */
function placesIn(text: string): Map<string, number[]> {
	const places = new Map<string, number[]>();
	for (const [, path = "", line = ""] of text.matchAll(/^(.+?):(\d+): /gm))
		places.set(path, [...(places.get(path) ?? []), Number(line)]);
	return places;
}

for (const withSearch of [false, true]) {
	const all: Spent[] = [];
	for (const question of questions) all.push(await answer(question, withSearch));
	const mean = (of: (spent: Spent) => number): number =>
		all.reduce((sum, spent) => sum + of(spent), 0) / all.length;
	console.log(
		`${withSearch ? "with" : "without"} search_code: right file read in ${all.filter(({ found }) => found).length} of ${all.length}; calls ${mean(({ calls }) => calls).toFixed(1)}, bytes ${Math.round(mean(({ bytes }) => bytes))} a question`,
	);
}
