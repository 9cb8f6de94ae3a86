import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createJudge } from "../../../src/judge/create-judge.ts";
import { createNavigator } from "../../../src/navigator/create-navigator.ts";
import { createSearchCodeTool } from "../../../src/navigator/create-search-code-tool.ts";

const QUESTION = "Where is a request sent again after it failed?";
const FILES = 1200;

let root: string;
beforeAll(() => {
	root = mkdtempSync(join(tmpdir(), "deputize-waiting-"));
	for (let directory = 0; directory < 12; directory += 1)
		mkdirSync(join(root, `tree/part${directory}`), { recursive: true });
	for (let file = 0; file < FILES; file += 1)
		writeFileSync(join(root, `tree/part${file % 12}/file${file}.ts`), writeSource(file));
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

/** Functions whose names differ from file to file, as in a real tree. */
function writeSource(file: number): string {
	const nouns = [
		"request",
		"answer",
		"server",
		"order",
		"buffer",
		"window",
		"kernel",
		"memory",
		"ticket",
		"reader",
	];
	const verbs = ["send", "open", "fail", "retry", "count", "merge", "paint", "store", "check", "close"];
	return Array.from({ length: 40 }, (_, at) => {
		const [noun, verb] = [nouns[(file + at) % 10], verbs[(file * 7 + at) % 10]];
		return `/** Whether the ${noun} has to ${verb} number ${at}. */\nexport function ${verb}${noun}${file % 97}x${at}(value: number): number {\n\treturn value + ${file};\n}\n`;
	}).join("\n");
}

/** The share of all processor time that the longest stretch took in which nobody else had the thread. */
async function findLongestShare(work: () => Promise<unknown>): Promise<number> {
	const used = (since?: NodeJS.CpuUsage): number => {
		const { user, system } = process.cpuUsage(since);
		return user + system;
	};
	const start = process.cpuUsage();
	let last = used(start);
	let longest = 0;
	const note = (): void => {
		const now = used(start);
		longest = Math.max(longest, now - last);
		last = now;
	};
	const timer = setInterval(note, 1);
	await work();
	note();
	clearInterval(timer);
	return longest / used(start);
}

// Other tests share the process: while their heap is collected nobody has the thread, which is not what is looked for.
describe("a question about a large tree", { retry: 2 }, () => {
	const judge = () =>
		createJudge({ cwd: join(root, "tree"), home: "/nonexistent", agentDirectory: "/nonexistent/agent" });

	it.each(["without what was stored", "with it"])(
		"keeps nobody waiting for the thread: search_code %s",
		async () => {
			const cwd = join(root, "tree");
			const tool = createSearchCodeTool({ cwd, judge: judge(), agentDirectory: join(root, "agent") });
			const signal = new AbortController().signal;
			expect(await findLongestShare(() => tool.execute({ query: QUESTION }, { cwd, signal }))).toBeLessThan(
				0.15,
			);
		},
	);

	it("keeps nobody waiting for the thread: the navigator", async () => {
		const navigator = createNavigator({ cwd: join(root, "tree"), judge: judge() });
		const input = { agent: "explorer", task: QUESTION, tools: ["read", "grep", "find", "ls"], steps: [] };
		expect(await findLongestShare(() => navigator.plan(input))).toBeLessThan(0.15);
	});
});
