import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { hostname, tmpdir } from "node:os";
import { join } from "node:path";
import type { ExtensionAPI, ExtensionContext } from "@earendil-works/pi-coding-agent";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { readSurroundings } from "../../../../../src/config/read-surroundings.ts";
import type { DelegationResult, DelegationUpdate } from "../../../../../src/contract/result.ts";
import { openBackgroundRecords } from "../../../../../src/hosts/pi/parent/background/background-records.ts";
import { createBackground } from "../../../../../src/hosts/pi/parent/background/create-background.ts";
import { createDetaching } from "../../../../../src/hosts/pi/parent/background/create-detaching.ts";
import { createSessionRuns } from "../../../../../src/hosts/pi/parent/session-runs.ts";

let agentDirectory: string;
beforeEach(() => {
	agentDirectory = mkdtempSync(join(tmpdir(), "deputize-background-"));
	vi.useFakeTimers();
});
afterEach(() => {
	vi.useRealTimers();
	rmSync(agentDirectory, { recursive: true, force: true });
});

const SESSION = "parent-1";
const RUN = { runId: "abcd1234", agent: "scout", task: "look", sessionId: "child-1" };
const RESULT = {
	content: [{ type: "text", text: "**Status:** SUCCESS\n\n---\n\nFound." }],
	isError: false,
	details: { mode: "single", results: [], runId: "abcd1234" },
} as unknown as DelegationResult;

/** A pi whose session gets what is sent, unless it loses it. */
function createPi(options: { readonly loses?: number; readonly session?: string } = {}) {
	const entries: object[] = [];
	const sent: string[] = [];
	let left = options.loses ?? 0;
	let isIdle = true;
	let turns = 0;
	const context = {
		isIdle: () => isIdle,
		sessionManager: { getSessionId: () => options.session ?? SESSION, getEntries: () => entries },
	} as unknown as ExtensionContext;
	const pi = {
		sendMessage(message: { content: string }, how: { triggerTurn: boolean }) {
			sent.push(message.content);
			if (how.triggerTurn) turns += 1;
			left -= 1;
			if (left < 0) entries.push({ type: "custom_message", ...message });
		},
	} as unknown as ExtensionAPI;
	return {
		pi,
		context,
		sent,
		countTurns: () => turns,
		setIdle: (value: boolean) => {
			isIdle = value;
		},
	};
}

const open = (pi: ExtensionAPI) =>
	createBackground(pi, readSurroundings({ HOME: agentDirectory, PI_CODING_AGENT_DIR: agentDirectory }));
const whole = (context: ExtensionContext) => ({ context, isStopped: () => false });
const countRecords = () => openBackgroundRecords(agentDirectory, SESSION).list().length;
const pass = (milliseconds = 1100) => vi.advanceTimersByTimeAsync(milliseconds);

describe("a run in the background", () => {
	it("is noted before it is let go, and delivered once when it has ended", async () => {
		const { pi, context, sent } = createPi();
		const background = open(pi);
		let end = (_result: DelegationResult): void => {};
		background.detach(RUN, new Promise((resolve) => (end = resolve)), whole(context));
		expect(countRecords()).toBe(1);
		await pass();
		expect(sent).toEqual([]);
		end(RESULT);
		await pass();
		expect(sent).toHaveLength(1);
		expect(sent[0]).toContain("Found.");
		await pass(10_000);
		expect(sent).toHaveLength(1);
		expect(countRecords()).toBe(0);
	});

	it("waits while the model works, and is sent again when it was dropped on its way", async () => {
		const { pi, context, sent, setIdle } = createPi({ loses: 1 });
		const background = open(pi);
		setIdle(false);
		background.detach(RUN, Promise.resolve(RESULT), whole(context));
		await pass(5000);
		expect(sent).toEqual([]);
		setIdle(true);
		await pass(3000);
		expect(sent).toHaveLength(1);
		background.noteSettled(context);
		await pass(5000);
		expect(sent).toHaveLength(2);
		expect(countRecords()).toBe(0);
	});

	it("is not delivered to another session, nor after the end of this one", async () => {
		const other = createPi({ session: "parent-2" });
		const own = createPi();
		const background = open(own.pi);
		background.detach(RUN, Promise.resolve(RESULT), whole(own.context));
		background.close();
		await open(other.pi).deliver(other.context);
		await pass(5000);
		expect([...own.sent, ...other.sent]).toEqual([]);
		const again = createPi();
		await open(again.pi).deliver(again.context);
		expect(again.sent).toHaveLength(1);
	});

	it("whose pi is gone is reported as lost, and one whose pi is alive is waited for", async () => {
		const { pi, context, sent } = createPi();
		const records = openBackgroundRecords(agentDirectory, SESSION);
		const gone = { pid: 2 ** 22 + 1, startTime: 1, host: hostname() };
		records.write({ ...RUN, owner: gone });
		records.write({ ...RUN, runId: "alive", owner: { pid: process.pid, host: hostname() } });
		await open(pi).deliver(context);
		await pass(3000);
		expect(sent).toHaveLength(1);
		expect(sent[0]).toContain("pi ended while this child was at work");
		expect(sent[0]).toContain('sessionId "child-1"');
		expect(countRecords()).toBe(1);
	});

	it("comes once where two terminals have the session: in the one that let it go, and from the other when that is gone", async () => {
		const first = createPi();
		const second = createPi();
		const owner = open(first.pi);
		const other = open(second.pi);
		owner.detach(RUN, Promise.resolve(RESULT), whole(first.context));
		first.setIdle(false);
		await other.deliver(second.context);
		await pass(5000);
		expect(second.sent).toEqual([]);
		first.setIdle(true);
		await pass(5000);
		expect([first.sent.length, second.sent.length]).toEqual([1, 0]);
		expect(countRecords()).toBe(0);
		first.setIdle(false);
		owner.detach({ ...RUN, runId: "later" }, Promise.resolve(RESULT), whole(first.context));
		owner.close();
		await other.deliver(second.context);
		await pass(5000);
		expect([first.sent.length, second.sent.length]).toEqual([1, 1]);
		other.close();
	});

	it("that the person ended is told without a turn, and its spending is counted once", async () => {
		const { pi, context, sent, countTurns } = createPi();
		const counted: unknown[] = [];
		const { sessionManager } = context;
		Object.assign(sessionManager, {
			appendUsage: (...given: unknown[]) => counted.push(given),
			getEntries: ((read) => () => [
				...read(),
				...counted.map(() => ({ type: "usage", note: "run abcd1234" })),
			])(sessionManager.getEntries),
		});
		const usage = { input: 10, output: 5, cacheRead: 0, cacheWrite: 0, cost: 0.3, turns: 2 };
		const spent = {
			...RESULT,
			details: { ...RESULT.details, results: [{ usage, model: "scripted/model-1" }] },
		};
		open(pi).detach(RUN, Promise.resolve(spent as never), { context, isStopped: () => true });
		await pass(5000);
		expect(sent).toHaveLength(1);
		expect(countTurns()).toBe(0);
		expect(counted).toEqual([
			["deputize", "scripted", "model-1", expect.objectContaining({ totalTokens: 15 }), "run abcd1234"],
		]);
	});

	it("that cannot be noted is not let go, and a torn record is passed over", () => {
		const { pi, context } = createPi();
		const background = open(pi);
		expect(() =>
			background.detach({ ...RUN, runId: "../up" }, Promise.resolve(RESULT), whole(context)),
		).toThrow(/No record/);
		openBackgroundRecords(agentDirectory, SESSION).write({ ...RUN, owner: { pid: 1, host: "x" } });
		const [directory = ""] = readdirSync(join(agentDirectory, "deputize", "background"));
		writeFileSync(join(agentDirectory, "deputize", "background", directory, "torn.json"), '{"runId":"t');
		expect(countRecords()).toBe(1);
	});
});

describe("whether a call is let go", () => {
	const update = {
		content: [{ type: "text", text: "" }],
		details: { mode: "single", runId: "r", sessionId: "s", results: [], streaming: { background: true } },
	} as unknown as DelegationUpdate;

	it("is the agent's word where a person is there for the answer", async () => {
		const runs = createSessionRuns();
		runs.open({ id: "1", agent: "scout", task: "t" }, { stop: () => {} });
		const detaching = createDetaching({ runs }, { toolCallId: "1", context: { hasUI: true } });
		detaching.note(update);
		await expect(detaching.asked).resolves.toBe(update);
	});

	it("is the person's, at any time while it runs, and nobody's where there is no person", async () => {
		const runs = createSessionRuns();
		runs.open({ id: "1", agent: "scout", task: "t" }, { stop: () => {} });
		const alone = createDetaching({ runs }, { toolCallId: "1", context: { hasUI: false } });
		alone.note(update);
		expect(runs.list()[0]?.canDetach).toBe(false);
		const { background: _, ...streaming } = update.details.streaming ?? ({} as never);
		const plain = { ...update, details: { ...update.details, streaming } };
		const detaching = createDetaching({ runs }, { toolCallId: "1", context: { hasUI: true } });
		expect(runs.detach("1")).toBe(false);
		detaching.note(plain);
		expect(runs.detach("1")).toBe(true);
		await expect(detaching.asked).resolves.toBe(plain);
	});
});
