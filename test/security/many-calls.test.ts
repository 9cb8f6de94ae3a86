import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { listProcessesOf, readCommandLine } from "../helpers/pi-door-processes.ts";
import { type ModelServer, startModelServer } from "../helpers/process-model-server.ts";
import { CLI } from "../helpers/run-cli.ts";
import { createTestHome, type TestHome } from "../helpers/test-home.ts";

interface Answer {
	readonly id: number;
}

const PING = 100_000;
const REFUSED = "200 calls are waiting for a free slot already";

let home: TestHome;
let model: ModelServer;
let server: ChildProcess;
let answers: Map<number, Answer>;

beforeEach(async () => {
	home = createTestHome({ "src/invoice.ts": "export const invoice = 1;\n" });
	home.write(`${home.agentDirectory}/deputize.json`, JSON.stringify({ subagents: { maxConcurrency: 1 } }));
	model = await startModelServer([{ hang: "Looking" }]);
	model.configure(home.agentDirectory);
	answers = new Map();
	server = spawn(process.execPath, [CLI, "mcp", "--runtime", "pi", "--model", "local/scripted"], {
		cwd: home.project,
		env: home.env,
		stdio: ["pipe", "pipe", "ignore"],
	});
	createInterface({ input: server.stdout ?? process.stdin }).on("line", (line) => {
		const answer = JSON.parse(line) as Answer;
		answers.set(answer.id, answer);
	});
	send({ id: 0, method: "initialize", params: { protocolVersion: "2025-06-18", capabilities: {} } });
	await answered(0);
});
afterEach(async () => {
	const exited = server.exitCode === null ? once(server, "exit") : undefined;
	server.kill("SIGTERM");
	await exited;
	await model.close();
	home.remove();
});

function send(message: object): void {
	server.stdin?.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
}

async function answered(id: number): Promise<Answer> {
	for (;;) {
		const answer = answers.get(id);
		if (answer !== undefined) return answer;
		await sleep(10);
	}
}

function callMany(count: number): void {
	const params = { name: "subagent", arguments: { agent: "explorer", task: "Where is the invoice?" } };
	for (let id = 1; id <= count; id += 1) send({ id, method: "tools/call", params });
}

describe("many calls of one client, where one may run", () => {
	it("list pi's models once, one at a time", async () => {
		callMany(40);
		const lists = new Set<number>();
		const running = model.arrived(1).then(() => true);
		while (!(await Promise.race([running, sleep(20, false)])))
			for (const pid of listProcessesOf(home.home))
				if (readCommandLine(pid).includes("--list-models")) lists.add(pid);
		// It was one for each call.
		expect(lists.size).toBe(1);
		expect(model.requests).toHaveLength(1);
	});

	it("leave the server able to answer and to end, and those too many are refused", async () => {
		callMany(1000);
		await expectPing(PING);
		// One runs, 200 wait.
		const refused = () => [...answers.values()].filter((answer) => JSON.stringify(answer).includes(REFUSED));
		await vi.waitFor(() => expect(refused()).toHaveLength(799), { timeout: 30_000, interval: 50 });
		await model.arrived(1);
		await expectPing(PING + 1);
		const ended = once(server, "exit");
		server.stdin?.end();
		expect((await ended)[0]).toBe(0);
		expect(model.requests).toHaveLength(1);
	});
});

/** The review saw no answer within 15 s. */
async function expectPing(id: number): Promise<void> {
	const asked = performance.now();
	send({ id, method: "ping" });
	await answered(id);
	expect(performance.now() - asked).toBeLessThan(15_000);
}
