import { spawn } from "node:child_process";
import { once } from "node:events";
import { hostname } from "node:os";
import type { RedactedText } from "../../packages/redaction/redacted-text.ts";
import { NO_USAGE } from "../../src/contract/usage.ts";
import { identifyProcess } from "../../src/process/identify-process.ts";
import type { Tab } from "../../test/helpers/chromium.ts";
import { noteRun, toStart } from "../../test/helpers/noted-runs.ts";

const ROUNDS = 10;
const text = (value: string) => value as RedactedText;

/** How long each event of a run takes from being written to being in the page, in milliseconds by kind of event. */
export async function measureLive(
	tab: Tab,
	agentDirectory: string,
): Promise<Readonly<Record<string, readonly number[]>>> {
	const delays = new Map<string, number[]>();
	const measure = async (name: string, expression: string, write: () => unknown) => {
		const seen = await tab.watch(expression);
		// So that the events do not all meet the same moment of the server's interval.
		await new Promise((resolve) => setTimeout(resolve, Math.random() * 300));
		const from = Date.now();
		await write();
		delays.set(name, [...(delays.get(name) ?? []), (await seen()) - from]);
	};
	const shows = (words: string) => `document.body.textContent.includes(${JSON.stringify(words)})`;
	for (let round = 0; round < ROUNDS; round += 1) {
		const runId = `11fe${String(round).padStart(4, "0")}`;
		const runner = spawn("sleep", ["60"]);
		const process = { ...identifyProcess(runner.pid as number), host: hostname() };
		const summary = text(`live task number ${round};`);
		const start = toStart(runId, { time: new Date().toISOString(), process, summary });
		let run = undefined as ReturnType<typeof noteRun> | undefined;
		await tab.evaluate('void (location.hash = "#/")');
		await tab.until("document.querySelector('table.runs')");
		await measure("start, in the list", shows(summary), () => {
			run = noteRun(agentDirectory, start);
		});
		await tab.evaluate(`void (location.hash = "#/run/${runId}")`);
		await tab.until("document.querySelector('.transcript')");
		const calling = "document.querySelector('summary .quiet')?.textContent.includes('running…')";
		const usage = { ...NO_USAGE, input: 5, turns: 1 };
		await measure("text being written", "document.querySelector('.caret')", () =>
			run?.write({ type: "writing", at: Date.now(), text: text("I am wri") }),
		);
		await measure("answer", `!document.querySelector('.caret') && ${shows("I am writing.")}`, () =>
			run?.write({ type: "message", at: Date.now(), text: text("I am writing."), usage }),
		);
		await measure("call", calling, () =>
			run?.write({ type: "call", at: Date.now(), id: "1", name: "grep", args: { pattern: "live" } }),
		);
		await measure("result", `!${calling}`, () =>
			run?.write({ type: "result", at: Date.now(), id: "1", isError: false }),
		);
		const headed = (state: string) => `document.querySelector('h1')?.textContent.includes('${state}')`;
		const kill = async () => {
			runner.kill("SIGKILL");
			await once(runner, "exit");
		};
		if (round % 2 === 0) await measure("process killed", headed("lost"), kill);
		else await measure("end", headed("done"), () => run?.end({ time: new Date().toISOString() }));
		if (runner.exitCode === null && runner.signalCode === null) await kill();
	}
	return Object.fromEntries(delays);
}
