import { readdirSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, describe, expect, it } from "vitest";
import { createPiHome, type PiHome } from "../helpers/pi-door-home.ts";
import { runPiJson, toolEnds } from "../helpers/pi-door-json.ts";
import { listChildrenOf, listProcessesOf, waitForChild } from "../helpers/pi-door-processes.ts";
import { type ScriptedProvider, startScriptedProvider } from "../helpers/pi-door-provider.ts";

let provider: ScriptedProvider | undefined;
let home: PiHome | undefined;

afterEach(async () => {
	await provider?.close();
	const left = home ? listProcessesOf(home.root) : [];
	const files = home ? readdirSync(join(home.root, "tmp")).filter((name) => name.startsWith("deputize")) : [];
	home?.remove();
	provider = undefined;
	home = undefined;
	expect(left, "processes left behind").toEqual([]);
	expect(files, "temporary files left behind").toEqual([]);
});

const CALL = { name: "subagent", arguments: { agent: "explorer", task: "Where is the retry decided?" } };

describe("the early start of a child", () => {
	it("happens while the call is still being written, and leaves nothing when the parent is ended there", async () => {
		// The message never ends: whatever runs now was started for a call that is not there yet.
		provider = await startScriptedProvider(() => ({ calls: [CALL], streamMs: 1000, hang: true }));
		home = createPiHome(provider.baseUrl, { waitingChildren: true });
		let parent = 0;
		const run = runPiJson(home, "go", {
			onEvent: (_event, pid) => {
				parent = pid;
			},
		});
		const started = await waitForChild(home.root);
		process.kill(parent, "SIGTERM");
		const { events } = await run;
		expect(started).toBe(true);
		expect(events.some((event) => event.type === "tool_execution_start")).toBe(false);
		expect(provider.requests.some((request) => request.isChild)).toBe(false);
	});

	it("can be switched off", async () => {
		provider = await startScriptedProvider((request) => {
			if (request.isChild) {
				return { calls: [{ name: "subagent_finalize", arguments: { status: "SUCCESS", result: "Yes." } }] };
			}
			return request.turn === 0 ? { calls: [CALL], streamMs: 1500 } : { text: "Thanks." };
		});
		home = createPiHome(provider.baseUrl, { config: { subagents: { earlyStart: false } } });
		const { root } = home;
		let before = -1;
		const run = await runPiJson(home, "go", {
			onEvent: (event) => {
				if (event.type === "message_update") before = Math.max(before, listChildrenOf(root).length);
			},
		});
		expect(before).toBe(0);
		expect(toolEnds(run)[0]?.isError).toBe(false);
	});

	it("serves each of several calls with a child of its own", async () => {
		provider = await startScriptedProvider((request) => {
			if (request.isChild) {
				const task = JSON.stringify(request.messages.at(-1)?.content);
				const result = `answer to ${/number \d/.exec(task)?.[0]}`;
				return { calls: [{ name: "subagent_finalize", arguments: { status: "SUCCESS", result } }] };
			}
			if (request.turn > 0) return { text: "Thanks." };
			const numbers = [1, 2, 3];
			return {
				streamMs: 900,
				calls: numbers.map((number) => ({
					name: "subagent",
					arguments: { agent: "explorer", task: `This is number ${number}` },
				})),
			};
		});
		home = createPiHome(provider.baseUrl, { waitingChildren: true });
		const run = await runPiJson(home, "go");
		const texts = toolEnds(run).map((end) => /number \d/.exec(end.result.content[0]?.text ?? "")?.[0]);
		expect([...texts].sort()).toEqual(["number 1", "number 2", "number 3"]);
		expect(provider.requests.filter((request) => request.isChild)).toHaveLength(3);
	});

	it("leaves nothing of a call that another extension blocks", async () => {
		provider = await startScriptedProvider((request) =>
			request.turn === 0 ? { calls: [CALL], streamMs: 900 } : { text: "Thanks." },
		);
		home = createPiHome(provider.baseUrl, { waitingChildren: true });
		home.write(
			"home/.pi/agent/extensions/gate.ts",
			`export default function (pi) {
				pi.on("tool_call", (event) => event.toolName === "subagent" ? { block: true, reason: "not today" } : undefined);
			}`,
		);
		const run = await runPiJson(home, "go");
		const [end] = toolEnds(run);
		expect(end?.isError).toBe(true);
		expect(end?.result.content[0]?.text).toContain("not today");
		expect(provider.requests.some((request) => request.isChild)).toBe(false);
	});

	it("leaves nothing of a call whose agent another extension changes, which runs with the right one", async () => {
		provider = await startScriptedProvider((request) => {
			if (request.isChild) {
				return { calls: [{ name: "subagent_finalize", arguments: { status: "SUCCESS", result: "Yes." } }] };
			}
			return request.turn === 0 ? { calls: [CALL], streamMs: 900 } : { text: "Thanks." };
		});
		home = createPiHome(provider.baseUrl, { waitingChildren: true });
		home.write(
			"home/.pi/agent/extensions/change.ts",
			`export default function (pi) {
				pi.on("tool_call", (event) => {
					if (event.toolName === "subagent") event.input.agent = "reviewer";
				});
			}`,
		);
		const run = await runPiJson(home, "go");
		const [end] = toolEnds(run);
		expect(end?.isError).toBe(false);
		expect(end?.result.details).toMatchObject({ results: [{ agent: "reviewer" }] });
		const asked = provider.requests.filter((request) => request.isChild);
		expect(asked).toHaveLength(1);
		expect(JSON.stringify(asked[0]?.messages)).toMatch(/review/i);
	});

	it("gives way to a session that is to be continued", async () => {
		let sessionId = "";
		provider = await startScriptedProvider((request) => {
			if (request.isChild) {
				const rounds = request.messages.filter((message) => message.role === "user").length;
				const result = `round ${rounds}`;
				return { calls: [{ name: "subagent_finalize", arguments: { status: "SUCCESS", result } }] };
			}
			if (request.turn === 0) return { calls: [CALL], streamMs: 600 };
			if (request.turn > 1) return { text: "Thanks." };
			sessionId = /[0-9a-f]{8}-[0-9a-f-]{27}/.exec(JSON.stringify(request.messages.at(-1)))?.[0] ?? "";
			return {
				calls: [{ name: "subagent", arguments: { ...CALL.arguments, sessionId } }],
				streamMs: 600,
			};
		});
		home = createPiHome(provider.baseUrl, { waitingChildren: true });
		const run = await runPiJson(home, "go");
		const texts = toolEnds(run).map((end) => end.result.content[0]?.text ?? "");
		expect(texts[0]).toContain("round 1");
		expect(texts[1]).toContain("round 2");
		expect(texts[1]).toContain(sessionId);
	});
});

describe("a waiting child", () => {
	const handOver = (result: string) => ({
		calls: [{ name: "subagent_finalize", arguments: { status: "SUCCESS", result } }],
	});
	const delegate = { name: "subagent", arguments: { agent: "mine", task: "Where is it?" } };
	const writeAgent = (place: PiHome, words: string): void => {
		place.write("home/.pi/agent/agents/mine.md", `---\nname: mine\ntools: read\n---\n${words}\n`);
	};
	/** It has started, and time to read what it is made of. */
	const waitForWaiting = async (root: string): Promise<readonly number[]> => {
		expect(await waitForChild(root)).toBe(true);
		await sleep(500);
		return listChildrenOf(root);
	};

	it("serves the next call to the same agent, unless the agent has changed meanwhile", async () => {
		const served: (readonly number[])[] = [];
		const waiting: (readonly number[])[] = [];
		provider = await startScriptedProvider((request) => {
			const place = home as PiHome;
			if (request.isChild) {
				served.push(listChildrenOf(place.root));
				return handOver(/INSTRUCTIONS \w+/.exec(JSON.stringify(request.messages))?.[0] ?? "none");
			}
			if (request.turn > 2) return { text: "Thanks." };
			const after = async (): Promise<void> => {
				waiting.push(await waitForWaiting(place.root));
				if (request.turn === 2) writeAgent(place, "INSTRUCTIONS two");
			};
			return { calls: [delegate], ...(request.turn === 0 ? {} : { after: after() }) };
		});
		home = createPiHome(provider.baseUrl, { waitingChildren: true });
		writeAgent(home, "INSTRUCTIONS one");
		const run = await runPiJson(home, "go");
		expect(toolEnds(run).map((end) => end.result.details["finalized"])).toMatchObject([
			{ result: "INSTRUCTIONS one" },
			{ result: "INSTRUCTIONS one" },
			{ result: "INSTRUCTIONS two" },
		]);
		expect(served[1]).toEqual(waiting[0]);
		expect(served[2]?.filter((pid) => waiting[1]?.includes(pid))).toEqual([]);
	});

	it("waits before there is a call when the message names its agent, and goes when none is made", async () => {
		let isThere = false;
		provider = await startScriptedProvider(() => ({
			text: "No need.",
			after: waitForChild((home as PiHome).root).then((found) => {
				isThere = found;
			}),
		}));
		home = createPiHome(provider.baseUrl, { waitingChildren: true });
		writeAgent(home, "You look.");
		await runPiJson(home, "Ask mine where it is.");
		expect(isThere).toBe(true);
		expect(provider.requests.some((request) => request.isChild)).toBe(false);
	});

	it("goes with a parent that is killed", async () => {
		provider = await startScriptedProvider((request) => {
			if (request.isChild) return handOver("Yes.");
			return request.turn === 0 ? { calls: [delegate] } : { text: "late", hang: true };
		});
		home = createPiHome(provider.baseUrl, { waitingChildren: true });
		writeAgent(home, "You look.");
		let parent = 0;
		const run = runPiJson(home, "go", {
			onEvent: (event, pid) => {
				if (event.type === "tool_execution_end") parent = pid;
			},
		});
		while (parent === 0) await sleep(20);
		expect(await waitForWaiting(home.root)).not.toEqual([]);
		process.kill(parent, "SIGKILL");
		await run;
		for (let waited = 0; waited < 5000 && listProcessesOf(home.root).length > 0; waited += 50)
			await sleep(50);
		expect(listProcessesOf(home.root)).toEqual([]);
	});
});
