import { createJudge } from "../../../src/judge/create-judge.ts";
import { createNavigator } from "../../../src/navigator/create-navigator.ts";
import type { NavigatorToolStep } from "../navigator-tool-step.ts";
import type { ToolRunner } from "./run-tools.ts";

export interface DrivenRun {
	readonly result: string;
	readonly status: "SUCCESS" | "ERROR";
	readonly turns: number;
	readonly calls: number;
	readonly toolTextChars: number;
	readonly notes: readonly string[];
}

const MAX_TURNS = 12;

/** Plays the part of the adapters: asks for the next step, runs its calls at once, and goes on until the end. */
export async function driveNavigator(
	runner: ToolRunner,
	question: { agent: string; task: string; tools: readonly string[] },
): Promise<DrivenRun> {
	const steps: NavigatorToolStep[] = [];
	const navigator = createNavigator({
		cwd: runner.cwd,
		judge: createJudge({ cwd: runner.cwd, home: "/nonexistent", agentDirectory: "/nonexistent/agent" }),
	});
	const notes: string[] = [];
	for (let turn = 1; turn <= MAX_TURNS; turn += 1) {
		const next = await navigator.plan({ ...question, verbose: true, steps });
		if (next.kind === "finalize") {
			const result = next.status === "SUCCESS" ? next.result : `${next.error}\n${next.result ?? ""}`;
			const toolTextChars = steps.reduce((total, step) => total + step.text.length, 0);
			return { result, status: next.status, turns: turn, calls: steps.length, toolTextChars, notes };
		}
		notes.push(next.note);
		const answers = await Promise.all(next.calls.map((call) => runner.run(call.tool, call.args)));
		next.calls.forEach((call, index) => {
			steps.push({
				tool: call.tool,
				args: call.args,
				text: answers[index]!.text,
				isError: answers[index]!.isError,
			});
		});
	}
	throw new Error(`not finalized after ${MAX_TURNS} turns: ${question.task}`);
}
