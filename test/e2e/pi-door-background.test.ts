import { readdirSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, describe, expect, it } from "vitest";
import { createPiHome, type PiHome } from "../helpers/pi-door-home.ts";
import type { PiEvent } from "../helpers/pi-door-json.ts";
import { listChildrenOf, listProcessesOf } from "../helpers/pi-door-processes.ts";
import {
	type ScriptedProvider,
	type ScriptedRequest,
	type ScriptedTurn,
	startScriptedProvider,
} from "../helpers/pi-door-provider.ts";
import { openRpc, type RpcSession } from "../helpers/pi-door-rpc.ts";
import { isLeftOut, NEWER_PI, PI_VERSIONS, type PiVersion } from "../helpers/pi-door-versions.ts";

let provider: ScriptedProvider | undefined;
let home: PiHome;
let session: RpcSession | undefined;

afterEach(async () => {
	await session?.close();
	await provider?.close();
	const left = listProcessesOf(home.root);
	home.remove();
	session = undefined;
	provider = undefined;
	expect(left, "processes left behind").toEqual([]);
});

const ENDED = "which ran in the background on this task";
const WAIT_MS = 30_000;

interface Stage {
	/** Lets the children answer. */
	release(): void;
	/** Lets the parent's model answer where it was told to wait. */
	goOn(): void;
	/** How often the model has seen the end of each task, in the newest request of the parent. */
	countAnswers(): Readonly<Record<string, number>>;
	parentRequests(): readonly ScriptedRequest[];
}

/** A model that sends scouts, and a scout that answers when it is let. */
async function openStage(
	options: { readonly tasks?: readonly string[]; readonly busyAfter?: "call" | "answer" } = {},
): Promise<Stage> {
	const { tasks = ["first"] } = options;
	let release = (): void => {};
	const released = new Promise<void>((resolve) => {
		release = resolve;
	});
	let goOn = (): void => {};
	const going = new Promise<void>((resolve) => {
		goOn = resolve;
	});
	const lastOf = (request: ScriptedRequest): string => JSON.stringify(request.messages.at(-1));
	const playParent = (request: ScriptedRequest): ScriptedTurn => {
		const last = lastOf(request);
		if (last.includes('"role":"tool"'))
			return { text: "Going on.", ...(options.busyAfter === "call" ? { after: going } : {}) };
		if (last.includes(ENDED))
			return { text: "Heard.", ...(options.busyAfter === "answer" ? { after: going } : {}) };
		if (!last.includes("go")) return { text: "Fine." };
		return { calls: tasks.map((task) => ({ name: "subagent", arguments: { agent: "scout", task } })) };
	};
	provider = await startScriptedProvider((request) => {
		if (!request.isChild) return playParent(request);
		const task = tasks.find((name) => JSON.stringify(request.messages).includes(name)) ?? "";
		if (request.turn === 0) return { text: `Half of ${task}. `, calls: [{ name: "ls", arguments: {} }] };
		const result = `Answer to ${task}.`;
		return {
			after: released,
			calls: [{ name: "subagent_finalize", arguments: { status: "SUCCESS", result } }],
		};
	});
	home = createPiHome(provider.baseUrl, { config: { subagents: { maxConcurrency: 5 } } });
	home.write(
		"home/.pi/agent/agents/scout.md",
		"---\nname: scout\ndescription: Look around\nbackground: true\ntools: ls\n---\nYou look around.\n",
	);
	const parentRequests = (): readonly ScriptedRequest[] =>
		(provider?.requests ?? []).filter((request) => !request.isChild);
	return {
		release,
		goOn,
		parentRequests,
		countAnswers() {
			const seen = (parentRequests().at(-1)?.messages ?? []).map((message) => JSON.stringify(message));
			return Object.fromEntries(
				tasks.map((task) => [
					task,
					seen.filter((text) => text.includes(ENDED) && text.includes(`task:\\n\\n${task}\\n`)).length,
				]),
			);
		},
	};
}

function open(pi: PiVersion, args: readonly string[] = []): RpcSession {
	session = openRpc(home, { script: pi.script, args });
	return session;
}

async function until(description: string, holds: () => boolean): Promise<void> {
	const deadline = Date.now() + WAIT_MS;
	while (!holds()) {
		if (Date.now() > deadline) throw new Error(`This never came: ${description}`);
		await sleep(20);
	}
}

function listRecords(): readonly string[] {
	const root = join(home.agentDirectory, "deputize", "background");
	try {
		return readdirSync(root)
			.flatMap((name) => readdirSync(join(root, name)))
			.filter((name) => name.endsWith(".json"));
	} catch {
		return [];
	}
}

function hasResult(event: PiEvent): boolean {
	return event.type === "tool_execution_end";
}

/** The whole conversation once more, as the model would get it. */
async function ask(stage: Stage): Promise<void> {
	const before = stage.parentRequests().length;
	session?.send({ type: "prompt", message: "And?" });
	await until("the next request", () => stage.parentRequests().length > before);
}

describe.each(PI_VERSIONS)("agents in the background of pi $version", (pi) => {
	it.skipIf(isLeftOut(pi))("one is answered at once, and its answer wakes the model, once", async () => {
		const stage = await openStage();
		const { send, waitFor, events } = open(pi);
		send({ type: "prompt", message: "go" });
		const end = await waitFor(hasResult);
		expect(JSON.stringify(end)).toMatch(/\*\*Status:\*\* RUNNING\\n\*\*Session ID:\*\* `[0-9a-f-]{36}`/);
		expect(end["isError"]).toBe(false);
		expect(listRecords()).toHaveLength(1);
		await waitFor((event) => event.type === "agent_settled");
		stage.release();
		await until("the answer", () => stage.countAnswers()["first"] === 1);
		const told = JSON.stringify(stage.parentRequests().at(-1)?.messages.at(-1));
		expect(told).toContain("**Status:** SUCCESS");
		expect(told).toContain("Answer to first.");
		await until("the record to go", () => listRecords().length === 0);
		await ask(stage);
		expect(stage.countAnswers()).toEqual({ first: 1 });
		expect(events.filter((event) => event.type === "agent_start").length).toBeGreaterThanOrEqual(3);
	});

	// Six processes of pi: one version shows that they do not mix, both show one.
	if (pi === NEWER_PI)
		it.skipIf(isLeftOut(pi))("five at once: each answer comes once, none before its time", async () => {
			const tasks = ["alpha", "beta", "gamma", "delta", "epsilon"];
			const stage = await openStage({ tasks });
			const { send, waitFor } = open(pi);
			send({ type: "prompt", message: "go" });
			await waitFor((event) => event.type === "agent_settled");
			expect(listRecords()).toHaveLength(5);
			stage.release();
			const all = Object.fromEntries(tasks.map((task) => [task, 1]));
			await until("five answers", () => Object.values(stage.countAnswers()).every((count) => count === 1));
			await until("the records to go", () => listRecords().length === 0);
			await ask(stage);
			expect(stage.countAnswers()).toEqual(all);
		});

	it.skipIf(isLeftOut(pi))(
		"kill -9 of pi before the end: the child goes too, and the model hears of it once when pi is back",
		async () => {
			const stage = await openStage();
			const { send, waitFor, kill } = open(pi);
			send({ type: "prompt", message: "go" });
			await waitFor((event) => event.type === "agent_settled");
			await until("the child's second turn", () =>
				(provider?.requests ?? []).some((request) => request.isChild && request.turn === 1),
			);
			await kill();
			await until("the child to be gone", () => listChildrenOf(home.root).length === 0);
			expect(listRecords()).toHaveLength(1);
			open(pi, ["-c"]);
			await until("the message", () => stage.countAnswers()["first"] === 1);
			const told = JSON.stringify(stage.parentRequests().at(-1)?.messages.at(-1));
			expect(told).toContain("pi ended while this child was at work");
			expect(told).toContain("Half of first.");
			expect(told).toMatch(/call the same agent with sessionId/);
			await until("the record to go", () => listRecords().length === 0);
		},
	);

	it.skipIf(isLeftOut(pi))(
		"kill -9 after the end and before the delivery: the answer comes when pi is back",
		async () => {
			const stage = await openStage({ busyAfter: "call" });
			const { send, waitFor, kill } = open(pi);
			send({ type: "prompt", message: "go" });
			await waitFor(hasResult);
			stage.release();
			await until("the end in the journal", () => home.readJournal().some((line) => line["ok"] === true));
			await sleep(1000);
			expect(stage.countAnswers()).toEqual({ first: 0 });
			await kill();
			stage.goOn();
			open(pi, ["-c"]);
			await until("the answer", () => stage.countAnswers()["first"] === 1);
			await ask(stage);
			expect(stage.countAnswers()).toEqual({ first: 1 });
			expect(JSON.stringify(stage.parentRequests().at(-1)?.messages)).toContain("Answer to first.");
		},
	);

	it.skipIf(isLeftOut(pi))(
		"kill -9 in the middle of the delivery: the model has the answer once, not never and not twice",
		async () => {
			const stage = await openStage({ busyAfter: "answer" });
			const { send, waitFor, kill } = open(pi);
			send({ type: "prompt", message: "go" });
			await waitFor((event) => event.type === "agent_settled");
			stage.release();
			await until("the request with the answer", () => stage.countAnswers()["first"] === 1);
			await kill();
			stage.goOn();
			open(pi, ["-c"]);
			await sleep(1000);
			await ask(stage);
			expect(stage.countAnswers()).toEqual({ first: 1 });
			await until("the record to go", () => listRecords().length === 0);
			await ask(stage);
			expect(stage.countAnswers()).toEqual({ first: 1 });
		},
	);

	it.skipIf(isLeftOut(pi))("a turn that is cancelled does not end it, and loses nothing", async () => {
		const stage = await openStage({ busyAfter: "call" });
		const { send, waitFor } = open(pi);
		send({ type: "prompt", message: "go" });
		await waitFor(hasResult);
		send({ type: "abort" });
		await waitFor((event) => event.type === "agent_settled");
		expect(listChildrenOf(home.root).length).toBeGreaterThan(0);
		stage.goOn();
		stage.release();
		await until("the answer", () => stage.countAnswers()["first"] === 1);
		await ask(stage);
		expect(stage.countAnswers()).toEqual({ first: 1 });
	});

	it.skipIf(isLeftOut(pi))(
		"another session does not get the answer; its own does when it is opened again",
		async () => {
			const stage = await openStage();
			const { send, waitFor, events } = open(pi);
			send({ type: "prompt", message: "go" });
			await waitFor((event) => event.type === "agent_settled");
			send({ id: "state", type: "get_state" });
			const state = await waitFor((event) => event["id"] === "state");
			const file = (state["data"] as { sessionFile: string }).sessionFile;
			send({ id: "new", type: "new_session" });
			await waitFor((event) => event["id"] === "new");
			stage.release();
			await until("the end in the journal", () => home.readJournal().some((line) => line["ok"] === true));
			await ask(stage);
			await sleep(1000);
			expect(stage.countAnswers()).toEqual({ first: 0 });
			expect(events.some((event) => JSON.stringify(event).includes(ENDED))).toBe(false);
			send({ id: "back", type: "switch_session", sessionPath: file });
			await waitFor((event) => event["id"] === "back");
			await until("the answer", () => stage.countAnswers()["first"] === 1);
			await until("the record to go", () => listRecords().length === 0);
		},
	);
});
