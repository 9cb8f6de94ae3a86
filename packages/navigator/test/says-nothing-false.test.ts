import { spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { rgPath } from "@vscode/ripgrep";
import { afterAll, describe, expect, it } from "vitest";
import { GRAMMAR_FILES } from "../../../src/navigator/grammar-files.ts";
import { listTreeFiles } from "../../../src/navigator/list-tree-files.ts";
import { buildCodeIndex } from "../code-index/build-code-index.ts";
import { createTreeSearch } from "../create-tree-search.ts";
import { planNextStep } from "../plan-next-step.ts";
import { openGrammars } from "../syntax/open-grammars.ts";
import { createSyntax } from "../syntax/syntax.ts";

const ROOT = resolve(import.meta.dirname, "../../..");
const NAMES_PER_TREE = 4;
const grammars = openGrammars(GRAMMAR_FILES);
/** Trees that nobody wrote for this: parts of this repository, and packages as they are published. */
const TREES = [
	"packages/navigator",
	"node_modules/undici/lib/web",
	"node_modules/mammoth/lib",
	"node_modules/diff/dist",
];
const copies = mkdtempSync(join(tmpdir(), "nothing-false-"));
afterAll(() => rmSync(copies, { recursive: true, force: true }));

/** Outside of this repository, whose .gitignore excludes packages. */
function copyTree(name: string): string {
	const copy = join(copies, name.replaceAll("/", "_"));
	cpSync(join(ROOT, name), copy, {
		recursive: true,
		filter: (path) => !/\/(?:node_modules|bench|fixtures)$/.test(path.slice(ROOT.length + name.length)),
	});
	return copy;
}

function searchLines(tree: string, pattern: string): string[] {
	const found = spawnSync(rgPath, ["--hidden", "--no-heading", "--line-number", "-e", pattern, "./"], {
		cwd: tree,
		encoding: "utf8",
		maxBuffer: 1 << 28,
	});
	return found.stdout
		.split("\n")
		.filter((row) => row !== "")
		.map((row) => row.replace(/^\.\//, ""));
}

/** Identifiers spread evenly over the tree, by a rule that knows no grammar. */
function sampleNames(tree: string): string[] {
	const words = new Set(
		searchLines(tree, "[A-Za-z_]\\w{4,}\\s*[(=]").flatMap(
			(row) =>
				row
					.split(":")
					.slice(2)
					.join(":")
					.match(/[A-Za-z_]\w{4,}/g) ?? [],
		),
	);
	const sorted = [...words].sort();
	const step = Math.max(1, Math.floor(sorted.length / NAMES_PER_TREE));
	return sorted.filter((_name, at) => at % step === step >> 1).slice(0, NAMES_PER_TREE);
}

interface OpenTree {
	ask(agent: string, task: string): Promise<string>;
}

async function openTree(root: string): Promise<OpenTree> {
	const index = {
		...(await buildCodeIndex({ root, paths: await listTreeFiles(root) })),
		syntax: createSyntax(grammars),
	};
	const withSearch = createTreeSearch();
	return {
		async ask(agent, task) {
			const input = { agent, task, tools: ["grep"], steps: [], verbose: true, index };
			const step = await withSearch((search) => planNextStep({ ...input, search }));
			return step.kind === "finalize" ? (step.result ?? "") : "";
		},
	};
}

/** Each `path:line`: `text` of an answer is there, and each "path" that is named exists. */
function checkQuotes(tree: string, answer: string): string[] {
	return [...answer.matchAll(/`([^`\s]+?):(\d+)`(?:: `([^`]+)`)?/g)].flatMap(
		([whole, path = "", line = "", text]) => {
			// A line of the tree can itself be about such a place, as those of tests are.
			if (!existsSync(join(tree, path)) && searchLines(tree, `${path}:${line}`).length > 0) return [];
			const there = readFileSync(join(tree, path), "utf8").split("\n")[Number(line) - 1];
			const isThere =
				there !== undefined &&
				(text === undefined || there.replace(/\s+/g, " ").includes(text.replace(/…$/, "").trim()));
			return isThere ? [] : [whole];
		},
	);
}

const alone = (name: string): string => `(?<![\\w$])${name}(?![\\w$])`;

/** What an answer says about a name that ripgrep contradicts. */
function contradict(tree: string, name: string, answer: string): string[] {
	const rows = searchLines(tree, `\\b${name}\\b`).filter((row) => new RegExp(alone(name)).test(row));
	const calling = new RegExp(`${alone(name)}\\s*(?:<[^<>()]*>)?(?:\\?\\.)?\\(`);
	const calls = rows.filter((row) => calling.test(row));
	const places = (title: string): string[] =>
		[
			...(new RegExp(`^\\*\\*${title}[^\\n]*\\n((?:\\d+\\. .*\\n?)+)`, "m").exec(answer)?.[1] ?? "").matchAll(
				/^\d+\. `([^`]+)`/gm,
			),
		].map(([, place = ""]) => place);
	const wrong: string[] = [];
	if (new RegExp(`in none of the[^\\n]*"${name}"`).test(answer) && rows.length > 0)
		wrong.push(`nowhere, but ${rows[0]}`);
	for (const [, title = "", listed = ""] of answer.matchAll(
		/^\*\*(Defined in|Also defined in|Declared in|Imported in|Passed on or mentioned in code):\*\* (.*)$/gm,
	))
		for (const [, place = ""] of listed.matchAll(/`([^`]+:\d+)`/g))
			if (!rows.some((row) => row.startsWith(`${place}:`))) wrong.push(`${title} ${place}`);
	for (const place of places("Called in"))
		if (
			!calls.some((row) => row.startsWith(`${place}:`)) &&
			!/[`@<]|new /.test(rows.find((row) => row.startsWith(`${place}:`)) ?? "")
		)
			wrong.push(`called in ${place}`);
	if (/\*\*No call of/.test(answer)) {
		const real = calls.filter((row) => isCall(row, name));
		if (real.length > 0) wrong.push(`no call, but ${real[0]}`);
	}
	for (const [, path = "", names = ""] of answer.matchAll(
		/^\d+\. `([^`:]+)[^\n]*\(.*?defines ((?:`[^`]+`(?:, )?)+)/gm,
	))
		for (const [, defined = ""] of names.matchAll(/`([^`]+)`/g))
			if (!readFileSync(join(tree, path), "utf8").includes(defined)) wrong.push(`${path} defines ${defined}`);
	if (/\*\*Tests:\*\* none found by[^\n]*`/.test(answer)) {
		const tests = rows.filter((row) =>
			/(^|\/)(?:tests?|__tests__|specs?)\/|[._-](?:test|spec)\.[a-z]+:/.test(row),
		);
		if (tests.length > 0) wrong.push(`no tests, but ${tests[0]}`);
	}
	return wrong;
}

/** By its own line alone: neither prose, nor a comment, a text, or where the function itself begins. */
function isCall(row: string, name: string): boolean {
	const [path = "", , ...rest] = row.split(":");
	const line = rest.join(":");
	if (/\.(?:md|json|txt|html)$|(?:^|\/)(?:README|LICENSE|CHANGELOG)/.test(path)) return false;
	const code = line.replace(/(["'`/]).*\1/g, '""').replace(/(^|\s)(?:\/\/|\/?\*|#).*$/, "");
	const before = code.slice(0, code.search(new RegExp(alone(name))));
	return code.includes(name) && !/\b(?:function\*?|async|get|set|static|def)\s+$|^\s*$/.test(before);
}

describe("what the navigator says about real trees", () => {
	for (const name of TREES) {
		it(`is not contradicted by ripgrep in ${name}`, async () => {
			const tree = copyTree(name);
			const { ask } = await openTree(tree);
			const wrong: string[] = [];
			for (const symbol of sampleNames(tree)) {
				for (const [agent, task] of [
					["explorer", `Who calls \`${symbol}\`?`],
					["explorer", `Where is \`${symbol}\` defined?`],
					["explorer", `Who imports ${symbol}?`],
					["explorer", `Which tests cover ${symbol}?`],
					["tester", `Test \`${symbol}\``],
				] as const) {
					const answer = await ask(agent, task);
					const found = [...contradict(tree, symbol, answer), ...checkQuotes(tree, answer)];
					wrong.push(...found.map((what) => `${task} ${what}`));
				}
			}
			expect(wrong).toEqual([]);
		}, 120_000);
	}
});
