import { firstLine } from "./first-line.ts";
import type { NavigatorToolStep } from "./navigator-tool-step.ts";
import { parseSymbolText } from "./parse-symbol-text.ts";
import { parseGrepText, parsePathList, parseReadText } from "./parse-tool-text.ts";

export interface FileEvidence {
	readonly path: string;
	/** Line number to text. */
	readonly lines: Map<number, string>;
	/** Numbers of the lines that a language server named as a definition. */
	readonly definitions: Set<number>;
}

export interface Evidence {
	readonly files: ReadonlyMap<string, FileEvidence>;
	/** Paths seen in listings, whether or not anything in them matched. */
	readonly listed: ReadonlySet<string>;
	/** Roughly how many files the tree contains. */
	readonly treeSize: number;
	readonly errors: readonly string[];
}

const MIN_TREE_SIZE = 20;
/** Matching lines longer than this come from bundles and data. */
const MAX_LINE_CHARS = 520;

interface Collecting {
	readonly files: Map<string, FileEvidence>;
	readonly listed: Set<string>;
	readonly errors: string[];
}

/** Puts together what all tool calls so far have shown, file by file and line by line. */
export function collectEvidence(steps: readonly NavigatorToolStep[]): Evidence {
	const collecting: Collecting = {
		files: new Map(),
		listed: new Set(),
		errors: [],
	};
	for (const step of steps) {
		if (step.isError) collecting.errors.push(`${step.tool}: ${firstLine(step.text)}`);
		addStep(collecting, step);
	}
	const treeSize = Math.max(MIN_TREE_SIZE, collecting.listed.size, collecting.files.size);
	return { ...collecting, treeSize };
}

function addStep(collecting: Collecting, step: NavigatorToolStep): void {
	if (step.tool === "grep") addGrep(collecting, step);
	else if (step.tool === "find" || step.tool === "ls") addListing(collecting, step);
	else if (step.tool === "read") addRead(collecting, step);
	else if (step.tool === "lsp") addSymbols(collecting, step);
}

function addGrep(collecting: Collecting, step: NavigatorToolStep): void {
	for (const hit of parseGrepText(step).hits) addLine(collecting, hit.path, hit.line, hit.text);
}

function addListing(collecting: Collecting, step: NavigatorToolStep): void {
	for (const path of parsePathList(step).files) collecting.listed.add(path);
}

function addRead(collecting: Collecting, step: NavigatorToolStep): void {
	const { path, lines } = parseReadText(step);
	for (const { line, text } of lines) addLine(collecting, path, line, text);
}

/** A workspace search also lists names that merely contain the wanted one: those are places, not definitions of it. */
function addSymbols(collecting: Collecting, step: NavigatorToolStep): void {
	const wanted = step.args["query"];
	for (const { path, line, text, name } of parseSymbolText(step)) {
		const file = fileOf(collecting, path);
		const isWanted = name === "" || name === wanted || name.endsWith(`.${String(wanted)}`);
		if (step.args["action"] !== "references" && isWanted) file.definitions.add(line);
		if (text !== "" && !file.lines.has(line)) file.lines.set(line, text.slice(0, MAX_LINE_CHARS));
	}
}

function addLine(collecting: Collecting, path: string, line: number, text: string): void {
	if (path === "" || path.startsWith(".git/")) return;
	fileOf(collecting, path).lines.set(line, text.slice(0, MAX_LINE_CHARS));
}

function fileOf(collecting: Collecting, path: string): FileEvidence {
	const known = collecting.files.get(path);
	if (known !== undefined) return known;
	const created: FileEvidence = { path, lines: new Map(), definitions: new Set() };
	collecting.files.set(path, created);
	return created;
}
