import { hostname } from "node:os";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { RedactedText } from "../../../../../../packages/redaction/redacted-text.ts";
import { createCommandContext } from "../../../../../../src/commands/command-context.ts";
import { showLogs } from "../../../../../../src/commands/show-logs.ts";
import { showRunSteps } from "../../../../../../src/commands/show-run.ts";
import { NO_USAGE } from "../../../../../../src/contract/usage.ts";
import { reportLostRuns } from "../../../../../../src/hosts/pi/parent/background/report-lost-runs.ts";
import { readEarlierRuns } from "../../../../../../src/hosts/pi/parent/read-earlier-runs.ts";
import type { SessionRun } from "../../../../../../src/hosts/pi/parent/session-runs.ts";
import { listWatchedAgents } from "../../../../../../src/hosts/pi/parent/toolkit/watched-agent.ts";
import { noteRun, second, toStart } from "../../../../../helpers/noted-runs.ts";
import { createTestHome, type TestHome } from "../../../../../helpers/test-home.ts";

let home: TestHome;
beforeEach(() => {
	home = createTestHome();
});
afterEach(() => home.remove());

const PARENT = { parent: "pi:session-1" };
const GONE = { process: { pid: 2 ** 22 + 1, startTime: 1, host: hostname() } };

function noteLostRun(runId: string): void {
	const run = noteRun(
		home.agentDirectory,
		toStart(runId, { ...PARENT, ...GONE, time: second(2), sessionId: "child-1" }),
	);
	const text = "Half of it." as RedactedText;
	run.write({ type: "turn", at: Date.UTC(2026, 0, 1) + 3000 });
	run.write({
		type: "message",
		at: Date.UTC(2026, 0, 1) + 4000,
		text,
		usage: { ...NO_USAGE, cost: 0.1, turns: 1 },
	});
}

const toRun = (id: string, parts: object): SessionRun =>
	({
		id,
		agent: "explorer",
		task: id,
		startedAt: 0,
		takesMessages: false,
		canDetach: false,
		...parts,
	}) as SessionRun;
const WAITING = { update: { details: { results: [], streaming: { waiting: true } } } };
const ended = (runId: string) => ({ result: { isError: false, details: { runId, results: [] } } });

describe("the agents of a session", () => {
	it("are at work, then waiting, then over, each in the order of the cards; those of an earlier pi come with them", () => {
		noteRun(home.agentDirectory, toStart("older", PARENT)).end();
		noteRun(home.agentDirectory, toStart("same", { ...PARENT, time: second(1) })).end();
		noteRun(home.agentDirectory, toStart("other", { parent: "pi:session-2" })).end();
		noteLostRun("lost");
		const runs = [toRun("a", WAITING), toRun("b", ended("same")), toRun("c", {}), toRun("d", {})];
		const listed = listWatchedAgents(runs, readEarlierRuns(home.agentDirectory, "session-1"));
		expect(listed.map(({ id, state }) => `${id} ${state}`)).toEqual([
			...["c working", "d working", "a waiting"],
			...["run-older ended", "run-lost ended", "b ended"],
		]);
		expect(listed.find(({ id }) => id === "run-lost")?.runId).toBe("lost");
	});

	it("that ended with their pi are told of once, without a turn, with what they had written", () => {
		noteLostRun("lost");
		const entries: object[] = [];
		const turns: unknown[] = [];
		const pi = {
			sendMessage(message: object, how: { readonly triggerTurn: boolean }) {
				entries.push({ type: "custom_message", ...message });
				turns.push(how.triggerTurn);
			},
		};
		const sessionManager = { getSessionId: () => "session-1", getEntries: () => entries };
		const { surroundings } = createCommandContext({ cwd: home.project, env: home.env });
		const report = () => reportLostRuns(pi as never, { sessionManager } as never, surroundings);
		report();
		report();
		expect(turns).toEqual([false]);
		expect(JSON.stringify(entries[0])).toMatch(/was at work on this task when pi ended.*Half of it\./);
	});

	it("that ended with their pi are in the log, with their time and cost", () => {
		noteLostRun("lost");
		const report = showLogs(createCommandContext({ cwd: home.project, env: home.env }), {});
		expect(report.sections[0]?.lines[0]).toMatchObject({
			status: "fail",
			text: expect.stringMatching(
				/explorer · 2\.0 s · 1 turn · \$0\.100[\s\S]*ended while it was at work\. Its task: task of lost/,
			),
		});
	});
});

describe("a run that is followed", () => {
	it("has the newest at the end, and what it took apart", () => {
		const run = noteRun(home.agentDirectory, toStart("aaaa1111"));
		run.end();
		const followed = showRunSteps("aaaa1111", createCommandContext({ cwd: home.project, env: home.env }));
		expect(followed?.transcript.sections.map(({ heading }) => heading)).toEqual([
			"Task",
			"What it did",
			"What came of it",
		]);
		expect(followed?.facts.sections.map(({ heading }) => heading)).toContain("Where");
	});
});
