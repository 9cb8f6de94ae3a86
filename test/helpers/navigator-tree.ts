import { finishSteps } from "@deputize/ground";
import type { CodeIndex } from "../../packages/navigator/code-index/code-index.ts";
import { indexTexts } from "../../packages/navigator/code-index/index-texts.ts";
import type { NavigatorCall, NavigatorToolStep } from "../../packages/navigator/navigator-tool-step.ts";
import {
	type NavigatorInput,
	type NavigatorStep,
	planNextStep,
} from "../../packages/navigator/plan-next-step.ts";

import { GRAMMARS } from "../../packages/navigator/syntax/grammars.ts";
import { openGrammars } from "../../packages/navigator/syntax/open-grammars.ts";
import { createSyntax, Unlearned } from "../../packages/navigator/syntax/syntax.ts";
import { GRAMMAR_FILES } from "../../src/navigator/grammar-files.ts";

/** A tree in memory, searched the way pi's tools do it, in their text formats. */
export type Tree = Readonly<Record<string, string>>;

export function runCall(tree: Tree, { tool, args }: NavigatorCall): NavigatorToolStep {
	const text = answer(tree, tool, args);
	return text === undefined
		? { tool, args, text: `Path not found: ${String(args["path"])}`, isError: true }
		: { tool, args, text, isError: false };
}

function answer(tree: Tree, tool: string, args: Record<string, unknown>): string | undefined {
	if (tool === "grep") return grep(tree, args);
	if (tool === "find") return find(tree, args);
	if (tool === "ls") return list(tree, args);
	if (tool === "read") return read(tree, args);
	return undefined;
}

function grep(tree: Tree, args: Record<string, unknown>): string | undefined {
	const pattern = toPattern(args);
	const path = args["path"];
	if (typeof path === "string" && tree[path] === undefined) return undefined;
	const limit = Number(args["limit"] ?? 100);
	const rows: string[] = [];
	for (const [file, content] of Object.entries(tree)) {
		if (typeof path === "string" && file !== path) continue;
		const shown = typeof path === "string" ? (file.split("/").at(-1) ?? file) : file;
		content.split("\n").forEach((line, index) => {
			if (pattern.test(line)) rows.push(`${shown}:${index + 1}: ${line}`);
		});
	}
	if (rows.length === 0) return "No matches found";
	const notice =
		rows.length > limit
			? `\n\n[${limit} matches limit reached. Use limit=${limit * 2} for more, or refine pattern]`
			: "";
	return rows.slice(0, limit).join("\n") + notice;
}

/** `(?-i:` is ripgrep's; here such a part is matched without regard to case like the rest. */
function toPattern(args: Record<string, unknown>): RegExp {
	const source = String(args["pattern"]);
	const pattern =
		args["literal"] === true
			? source.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&")
			: source.replaceAll("(?-i:", "(?:");
	return new RegExp(pattern, args["ignoreCase"] === true ? "i" : "");
}

function find(tree: Tree, args: Record<string, unknown>): string {
	const glob = String(args["pattern"])
		.replace(/[.+^$()|]/g, "\\$&")
		.replaceAll("?", ".")
		.replaceAll("*", "[^/]*")
		.replace(/\{([^}]*)\}/g, (_whole, list: string) => `(?:${list.replaceAll(",", "|")})`);
	const pattern = new RegExp(`(^|/)${glob}$`);
	const found = Object.keys(tree).filter((path) => pattern.test(path));
	return found.length === 0 ? "No files found matching pattern" : found.join("\n");
}

function list(tree: Tree, args: Record<string, unknown>): string {
	const base = typeof args["path"] === "string" ? `${args["path"]}/` : "";
	const entries = Object.keys(tree)
		.filter((path) => path.startsWith(base))
		.map((path) => path.slice(base.length).replace(/\/.*/, "/"));
	return entries.length === 0 ? "(empty directory)" : [...new Set(entries)].sort().join("\n");
}

function read(tree: Tree, args: Record<string, unknown>): string | undefined {
	const content = tree[String(args["path"])];
	if (content === undefined) return undefined;
	const lines = content.split("\n");
	const first = Number(args["offset"] ?? 1) - 1;
	const limit = Number(args["limit"] ?? 2000);
	const more = lines.length - first - limit;
	const notice =
		more > 0 ? `\n\n[${more} more lines in file. Use offset=${first + limit + 1} to continue.]` : "";
	return lines.slice(first, first + limit).join("\n") + notice;
}

const grammars = openGrammars(GRAMMAR_FILES);
/** Open for all tests, so that trees in memory can be parsed without waiting. */
await Promise.all(GRAMMARS.map(grammars));

/** Texts with what their syntax says. */
export function indexTree(texts: Iterable<readonly [path: string, text: string]>): CodeIndex {
	const syntax = createSyntax(grammars);
	const index = { ...indexTexts(texts), syntax };
	finishSteps(syntax.learn(index.files, Number.POSITIVE_INFINITY));
	return index;
}

/** Asks again until everything that is needed is parsed. */
export function finishParsing<Result>(ask: () => Result): Result {
	for (;;) {
		try {
			return ask();
		} catch (error) {
			if (!(error instanceof Unlearned)) throw error;
			finishSteps(error.learn());
		}
	}
}

export interface Driven {
	readonly end: Extract<NavigatorStep, { kind: "finalize" }>;
	readonly turns: readonly (readonly NavigatorCall[])[];
	readonly steps: readonly NavigatorToolStep[];
}

/** Plays a whole run against the tree. */
export function drive(tree: Tree, input: Omit<NavigatorInput, "steps">): Driven {
	const steps: NavigatorToolStep[] = [];
	const turns: (readonly NavigatorCall[])[] = [];
	const index = indexTree(Object.entries(tree));
	for (;;) {
		const next = finishParsing(() => planNextStep({ index, ...input, steps }));
		if (next.kind === "finalize") return { end: next, turns, steps };
		if (turns.length === 10) throw new Error("the navigator did not finish in ten turns");
		turns.push(next.calls);
		steps.push(...next.calls.map((call) => runCall(tree, call)));
	}
}
