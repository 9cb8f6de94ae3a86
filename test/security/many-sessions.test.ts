import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, expect, it } from "vitest";
import { createPiHome, type PiHome } from "../helpers/pi-door-home.ts";
import { type JsonRun, runPiJson, toolEnds } from "../helpers/pi-door-json.ts";
import { listProcessesOf } from "../helpers/pi-door-processes.ts";
import {
	type ScriptedProvider,
	type ScriptedRequest,
	startScriptedProvider,
} from "../helpers/pi-door-provider.ts";
import { listRunDirectories } from "../helpers/test-home.ts";

let provider: ScriptedProvider | undefined;
let home: PiHome | undefined;
afterEach(async () => {
	await provider?.close();
	home?.remove();
});

const SESSIONS = ["amber", "birch", "cedar", "dahlia", "elder", "fennel"];
/** Killed with a child at work and calls that wait for the one slot. */
const KILLED = ["cedar", "fennel"];
const CALLS = 2;

const nameIn = (text: string): string => SESSIONS.find((name) => text.includes(name)) ?? "nobody";

it("six pi sessions of one user with one slot each, two of them killed, keep their answers apart and leave nothing", async () => {
	let atWork = 0;
	provider = await startScriptedProvider((request: ScriptedRequest) => {
		const name = nameIn(JSON.stringify(request.messages));
		if (!request.isChild)
			return request.turn === 0
				? {
						calls: Array.from({ length: CALLS }, (_, at) => ({
							name: "subagent",
							arguments: { agent: "explorer", task: `Where is ${name} ${at}?` },
						})),
					}
				: { text: `${name} is done.` };
		if (KILLED.includes(name)) {
			atWork += 1;
			return { hang: true };
		}
		const task = /Where is (\w+ \d)/.exec(JSON.stringify(request.messages))?.[1];
		return {
			calls: [{ name: "subagent_finalize", arguments: { status: "SUCCESS", result: `Answer for ${task}.` } }],
		};
	});
	home = createPiHome(provider.baseUrl, { config: { subagents: { maxConcurrency: 1 } } });
	const { root } = home;
	const killing = new Map<string, number>();
	const runs = new Map<string, JsonRun>();
	const ended = Promise.all(
		SESSIONS.map(async (name) => {
			const run = await runPiJson(home as PiHome, `Ask about ${name}`, {
				onStart: ({ pid = 0 }) => KILLED.includes(name) && killing.set(name, pid),
			});
			runs.set(name, run);
		}),
	);
	while (atWork < KILLED.length) await sleep(20);
	for (const pid of killing.values()) process.kill(pid, "SIGKILL");
	await ended;

	for (const name of SESSIONS.filter((other) => !KILLED.includes(other))) {
		const answers = toolEnds(runs.get(name) as JsonRun).map(({ result }) => result.content[0]?.text ?? "");
		expect(answers.map((text) => /Answer for (.*)\./.exec(text)?.[1]).sort()).toEqual(
			Array.from({ length: CALLS }, (_, at) => `${name} ${at}`),
		);
	}
	// One slot: of a session that was killed the second call never began.
	expect(atWork).toBe(KILLED.length);
	for (let waited = 0; waited < 5000 && listProcessesOf(root).length > 0; waited += 100) await sleep(100);
	expect(listProcessesOf(root)).toEqual([]);
	expect(listRunDirectories(join(root, "home/.pi/agent"))).toEqual([]);
	const files = readdirSync(root, { recursive: true, encoding: "utf8" });
	const sessions = files.filter((file) => file.includes("subagent-sessions") && file.endsWith(".jsonl"));
	for (const file of sessions) {
		const text = readFileSync(join(root, file), "utf8");
		expect(
			SESSIONS.filter((name) => text.includes(name)),
			file,
		).toHaveLength(1);
	}
	expect(sessions.length).toBeGreaterThanOrEqual((SESSIONS.length - KILLED.length) * CALLS);
});
