// Asks the navigator questions with known answers over real packages and this repository.
// node packages/navigator/bench/evaluate.ts [first|second|all] [--verbose]
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { driveNavigator } from "./drive-navigator.ts";
import { filesOf, prepareTrees } from "./prepare-trees.ts";
import { createToolRunner } from "./run-tools.ts";

interface Question {
	readonly half: "first" | "second";
	readonly tree: string;
	readonly kind: "symbol" | "phrase" | "natural";
	readonly task: string;
	readonly right: readonly string[];
}

const TOOLS = ["read", "grep", "find", "ls"];
const half = process.argv[2] ?? "all";
const verbose = process.argv.includes("--verbose");
const questions = (
	JSON.parse(readFileSync(join(import.meta.dirname, "questions.json"), "utf8")) as Question[]
).filter((question) => half === "all" || question.half === half);

const trees = prepareTrees();
const times: number[] = [];
const rows: { question: Question; rank: number }[] = [];
let mostTurns = 0;
let mostCalls = 0;
let mostText = 0;
let longestAnswer = 0;
for (const question of questions) {
	const missing = question.right.filter((path) => !existsSync(join(trees.pathOf(question.tree), path)));
	if (missing.length > 0)
		throw new Error(`${question.task}: no such file in ${question.tree}: ${missing.join(", ")}`);
	const started = performance.now();
	const run = await driveNavigator(createToolRunner(trees.pathOf(question.tree)), {
		agent: "explorer",
		task: question.task,
		tools: TOOLS,
	});
	times.push(performance.now() - started);
	const files = filesOf(run.result);
	const rank = files.findIndex((path) => question.right.includes(path)) + 1;
	rows.push({ question, rank });
	mostTurns = Math.max(mostTurns, run.turns);
	mostCalls = Math.max(mostCalls, run.calls);
	mostText = Math.max(mostText, run.toolTextChars);
	longestAnswer = Math.max(longestAnswer, run.result.length);
	if (rank !== 1 || verbose) {
		console.log(
			`${rank === 0 ? "miss" : `rank ${rank}`}  [${question.kind}] ${question.tree}: ${question.task}`,
		);
		if (rank !== 1) console.log(`        first: ${files.slice(0, 3).join(", ")}`);
	}
}
trees.remove();

function report(name: string, part: readonly { question: Question; rank: number }[]): void {
	if (part.length === 0) return;
	const at = (limit: number): number => part.filter(({ rank }) => rank >= 1 && rank <= limit).length;
	const share = (count: number): string =>
		`${count}/${part.length} (${Math.round((100 * count) / part.length)} %)`;
	console.log(
		`${name.padEnd(16)} hit@1 ${share(at(1))}  hit@3 ${share(at(3))}  among findings ${share(at(99))}`,
	);
}
console.log();
for (const name of ["first", "second"] as const)
	report(
		`${name} half`,
		rows.filter(({ question }) => question.half === name),
	);
for (const kind of ["symbol", "phrase", "natural"] as const)
	report(
		kind,
		rows.filter(({ question }) => question.kind === kind),
	);
times.sort((a, b) => a - b);
console.log(
	`wall per question: median ${Math.round(times[Math.floor(times.length / 2)] ?? 0)} ms, slowest ${Math.round(times.at(-1) ?? 0)} ms; at most ${mostTurns} turns, ${mostCalls} calls, ${mostText} characters of tool output, answers up to ${longestAnswer} characters`,
);
