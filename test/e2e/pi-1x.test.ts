import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeAll, describe, expect, it } from "vitest";
import { enterView } from "../helpers/enter-view.ts";
import { createPiHome, type PiHome } from "../helpers/pi-door-home.ts";
import { type JsonRun, runPiJson, runPiPrint, toolEnds } from "../helpers/pi-door-json.ts";
import {
	listChildrenOf,
	listProcessesOf,
	readCommandLine,
	waitForChild,
} from "../helpers/pi-door-processes.ts";
import {
	type ScriptedProvider,
	type ScriptedRequest,
	type ScriptedTurn,
	startScriptedProvider,
} from "../helpers/pi-door-provider.ts";
import { openRpc, type RpcSession } from "../helpers/pi-door-rpc.ts";
import { demandInstalled, isLeftOut, NEWER_PI, PI_VERSIONS } from "../helpers/pi-door-versions.ts";

let provider: ScriptedProvider | undefined;
let home: PiHome | undefined;
let session: RpcSession | undefined;

afterEach(async () => {
	await session?.close();
	await provider?.close();
	const left = home ? listProcessesOf(home.root) : [];
	const files = home ? readdirSync(join(home.root, "tmp")).filter((name) => name.startsWith("deputize")) : [];
	home?.remove();
	session = undefined;
	provider = undefined;
	home = undefined;
	expect(left, "processes left behind").toEqual([]);
	expect(files, "temporary files left behind").toEqual([]);
});

async function open(script: (request: ScriptedRequest) => ScriptedTurn): Promise<PiHome> {
	provider = await startScriptedProvider(script);
	home = createPiHome(provider.baseUrl);
	home.write("project/src/retry.ts", "export const retries = 2;\n");
	return home;
}

function delegateTo(agent: string, task = "Where is the retry decided?", sessionId?: string): ScriptedTurn {
	const fields = { agent, task, ...(sessionId ? { sessionId } : {}) };
	return { calls: [{ name: "subagent", arguments: fields }] };
}

function handOver(result: string): ScriptedTurn {
	return { calls: [{ name: "subagent_finalize", arguments: { status: "SUCCESS", result } }] };
}

/** A parent that delegates once, and a child that does what its turns say. */
function play(...turns: readonly ScriptedTurn[]) {
	return (request: ScriptedRequest): ScriptedTurn => {
		if (!request.isChild) return request.turn === 0 ? delegateTo("explorer") : { text: "Thank you." };
		return turns[request.turn] ?? { text: "The script is over." };
	};
}

function childRequests(): readonly ScriptedRequest[] {
	return provider?.requests.filter((request) => request.isChild) ?? [];
}

function writeLongJournal(place: PiHome): void {
	const record = { kind: "web", name: "fetch_content", ok: true, durationMs: 5, summary: "page ".repeat(20) };
	const line = JSON.stringify({ time: "2026-01-01T10:00:00.000Z", ...record });
	place.write("home/.pi/agent/deputize/journal.jsonl", `${line}\n`.repeat(3000));
}

function expectBounded(text: string): void {
	expect(text.length).toBeGreaterThan(15_000);
	expect(text.length).toBeLessThan(20_100);
	expect(text).toMatch(/… \d+ more lines$/);
}

/** Every line of stdout is an event, on every version. */
function expectPure(run: JsonRun): void {
	expect(run.exitCode).toBe(0);
	expect(run.lines.length).toBe(run.events.length);
}

describe.each(PI_VERSIONS)("pi $version, as parent and as child", (pi) => {
	const isNewer = Number.parseInt(pi.version, 10) >= 1;

	/** What pi-door-json, pi-door-early-start, delegate-with-pi and the runtime contract show for 0.87. */
	const inNewer = (name: string, test: () => Promise<void>): void => {
		if (isNewer) it(name, test);
	};

	describe.skipIf(isLeftOut(pi))("with a scripted provider", () => {
		beforeAll(() => demandInstalled(pi));

		it("works with tools and hands over, in a child of the same version with its own flags; the tool is registered once, with its policy, and neither in a child", async () => {
			const commandLines: string[][] = [];
			const turns = play(
				{ text: "Looking.", calls: [{ name: "grep", arguments: { pattern: "retries" } }] },
				{ calls: [{ name: "read", arguments: { path: "src/retry.ts" } }] },
				handOver("It is `src/retry.ts:1`."),
			);
			const place = await open((request) => {
				if (request.isChild) {
					commandLines.push(...listChildrenOf(place.root).map((pid) => [...readCommandLine(pid)]));
				}
				return turns(request);
			});
			const run = await runPiJson(place, "go", { script: pi.script });
			expectPure(run);
			const [end] = toolEnds(run);
			expect(end?.isError).toBe(false);
			expect(end?.result.content[0]?.text).toContain("**Status:** SUCCESS");
			expect(end?.result.content[0]?.text).toContain("It is `src/retry.ts:1`.");
			expect(end?.result.details["results"]).toMatchObject([
				{ agent: "explorer", exitCode: 0, agentSource: "builtin", usage: { turns: 3 } },
			]);
			expect(end?.result.usage).toMatchObject({ totalTokens: 3150 });
			expect(JSON.stringify(childRequests()[1]?.messages)).toContain("src/retry.ts:1");
			expect(JSON.stringify(childRequests()[2]?.messages)).toContain("export const retries = 2;");
			const own = commandLines.filter((line) => line.includes("--no-extensions"));
			expect(own.length).toBeGreaterThan(0);
			for (const line of own) expect(line.includes("--no-mcp")).toBe(isNewer);
			expect(own.some((line) => line.includes(pi.script))).toBe(true);
			expect(place.readJournal()).toMatchObject([{ kind: "subagent", name: "explorer", ok: true }]);
			const [parent] = provider?.requests ?? [];
			expect(parent?.tools.filter((name) => name === "subagent")).toHaveLength(1);
			expect(JSON.stringify(parent?.messages[0]?.content)).toContain("<delegation>");
			expect(childRequests()[0]?.tools).not.toContain("subagent");
			expect(JSON.stringify(childRequests()[0]?.messages)).not.toContain("<delegation>");
		});

		inNewer(
			"sends a child that did not finalize back inside its session, fails with all its texts when it never finalizes, and refuses wrong input with its own code instead of pi's",
			async () => {
				const wrong = { agent: "explorer", task: "x", chain: [] };
				const forgets = [{ text: "It is 42." }, handOver("42")];
				const calls = [
					delegateTo("explorer", "Forget it once"),
					delegateTo("explorer", "Never do it"),
					{ calls: [{ name: "subagent", arguments: wrong }] },
				];
				const place = await open((request) => {
					if (!request.isChild) return calls[request.turn] ?? { text: "Thank you." };
					const isForgetful = JSON.stringify(request.messages).includes("Forget it once");
					if (isForgetful) return forgets[request.turn] ?? { text: "The script is over." };
					return { text: ["one", "two", "three", "four"][request.turn] ?? "" };
				});
				const run = await runPiJson(place, "go", { script: pi.script });
				const [corrected, failed, refused] = toolEnds(run);
				expect(corrected?.isError).toBe(false);
				expect(corrected?.result.details["results"]).toMatchObject([{ output: "42", usage: { turns: 2 } }]);
				expect(JSON.stringify(childRequests()[1]?.messages)).toContain("You have not handed over yet");
				expect(failed?.isError).toBe(true);
				expect(failed?.result.details["error"]).toMatchObject({
					code: "SUBAGENT_FAILED",
					message: expect.stringContaining("subagent_finalize was not called"),
				});
				expect(failed?.result.details["results"]).toMatchObject([
					{ output: expect.stringMatching(/^three\n.*one.*two/s), usage: { turns: 3 } },
				]);
				expect(childRequests()).toHaveLength(5);
				expect(refused?.isError).toBe(true);
				expect(refused?.result.details["error"]).toMatchObject({
					code: "INVALID_INPUT",
					message: expect.stringContaining('"chain"'),
				});
			},
		);

		inNewer("marks a provider's 401 as an error and keeps details, usage and the way on", async () => {
			const place = await open(play({ calls: [{ name: "ls", arguments: {} }] }, { status: 401 }));
			const run = await runPiJson(place, "go", { script: pi.script });
			expectPure(run);
			const [end] = toolEnds(run);
			expect(end?.isError).toBe(true);
			expect(end?.result.details["error"]).toMatchObject({
				code: "SUBAGENT_FAILED",
				message: expect.stringContaining("401"),
			});
			expect(end?.result.details["results"]).toMatchObject([{ agent: "explorer", exitCode: 1 }]);
			expect(end?.result.details["sessionId"]).toMatch(/^[0-9a-f-]{36}$/);
			expect(end?.result.usage).toMatchObject({ totalTokens: 1050 });
			const told = JSON.stringify(provider?.requests.at(-1)?.messages.at(-1));
			expect(told).toContain("**Status:** ERROR");
		});

		inNewer("resumes a session that remembers its first task", async () => {
			let sessionId = "";
			const place = await open((request) => {
				if (request.isChild) {
					return handOver(`round ${request.messages.filter((message) => message.role === "user").length}`);
				}
				if (request.turn === 0) return delegateTo("explorer", "Remember the word marmalade");
				if (request.turn > 1) return { text: "Thank you." };
				sessionId = /[0-9a-f]{8}-[0-9a-f-]{27}/.exec(JSON.stringify(request.messages.at(-1)))?.[0] ?? "";
				return delegateTo("explorer", "Which word?", sessionId);
			});
			const run = await runPiJson(place, "go", { script: pi.script });
			const texts = toolEnds(run).map((end) => end.result.content[0]?.text ?? "");
			expect(texts[1]).toContain("round 2");
			expect(texts[1]).toContain(sessionId);
			expect(JSON.stringify(childRequests().at(-1)?.messages)).toContain("Remember the word marmalade");
		});

		inNewer("gives a readonly child no way to write, whatever its model calls", async () => {
			const place = await open(
				play(
					{
						calls: [
							{ name: "bash", arguments: { command: "touch stolen" } },
							{ name: "write", arguments: { path: "stolen", content: "x" } },
						],
					},
					handOver("tried"),
				),
			);
			const run = await runPiJson(place, "go", { script: pi.script });
			expect(toolEnds(run)[0]?.result.details["results"]).toMatchObject([{ output: "tried" }]);
			for (const name of ["bash", "edit", "write"]) expect(childRequests()[0]?.tools).not.toContain(name);
			const answers = childRequests()[1]?.messages.filter((message) => message.role === "tool");
			expect(answers).toHaveLength(2);
			for (const answer of answers ?? [])
				expect(JSON.stringify(answer)).toMatch(/not (found|granted|allowed)/i);
			expect(existsSync(join(place.project, "stolen"))).toBe(false);
		});

		inNewer("runs two calls of one message at the same time", async () => {
			let arrived = 0;
			let release = (): void => undefined;
			const both = new Promise<void>((resolve) => {
				release = resolve;
			});
			const place = await open((request) => {
				if (!request.isChild) {
					const calls = ["explorer", "reviewer"].flatMap((agent) => delegateTo(agent).calls ?? []);
					return request.turn === 0 ? { calls } : { text: "Thank you." };
				}
				arrived += 1;
				if (arrived === 2) release();
				// Neither is answered before both are there: one after the other would never end.
				return { ...handOver("both"), after: both };
			});
			const run = await runPiJson(place, "go", { script: pi.script });
			expect(toolEnds(run).map((end) => end.isError)).toEqual([false, false]);
		});

		inNewer("starts the child while the call is still being written", async () => {
			const place = await open(() => ({ ...delegateTo("explorer"), hang: true }));
			let parent = 0;
			const running = runPiJson(place, "go", {
				script: pi.script,
				onEvent: (_event, pid) => {
					parent = pid;
				},
			});
			const started = await waitForChild(place.root);
			process.kill(parent, "SIGTERM");
			const run = await running;
			expect(started).toBe(true);
			expect(run.events.some((event) => event.type === "tool_execution_start")).toBe(false);
		});

		it("answers from the offline navigator when an agent asks for it", async () => {
			const place = await open((request) =>
				request.turn === 0 ? delegateTo("finder", "Where is `retries` defined?") : { text: "Thank you." },
			);
			place.write(
				"home/.pi/agent/agents/finder.md",
				"---\nname: finder\ndescription: Find\nreadonly: true\nmodel: offline\n---\nYou find.\n",
			);
			const run = await runPiJson(place, "go", { script: pi.script });
			const [end] = toolEnds(run);
			expect(end?.isError).toBe(false);
			expect(end?.result.content[0]?.text).toContain("src/retry.ts:1");
			expect(end?.result.content[0]?.text).toContain("no language model");
			expect(childRequests()).toHaveLength(0);
		});

		it("reports over RPC as bounded notifications, and has a page for as long as the session, with nothing stray on stdout", async () => {
			const place = await open(() => ({ text: "Hello." }));
			writeLongJournal(place);
			session = openRpc(place, { script: pi.script });
			const report = await session.notified("/toolkit doctor");
			expect(String(report["message"])).toContain(`pi ${pi.version}`);
			const logs = await session.notified("/toolkit logs --limit 100000");
			expectBounded(String(logs["message"]));
			const wrong = await session.notified("/toolkit nonsense");
			expect(wrong).toMatchObject({ notifyType: "error", message: expect.stringContaining("doctor") });
			const addressOf = async () => {
				const told = await session?.notified("/toolkit view");
				return /http:\S+$/.exec(String(told?.["message"]))?.[0] ?? "";
			};
			const address = await addressOf();
			const ask = await enterView(address);
			expect(await (await ask("")).text()).toContain("<title>deputize</title>");
			expect(await (await ask("api/runs")).json()).toMatchObject({ total: expect.any(Number) });
			const withoutToken = (url: string): string => url.replace(/token=[^#]+/, "");
			expect(withoutToken(await addressOf()), "the page that is open already").toBe(withoutToken(address));
			await session.close();
			await expect(ask(""), "a page ends with its session").rejects.toThrow("fetch failed");
			expect(session.stray).toEqual([]);
			expect(provider?.requests).toHaveLength(0);
		});

		it("reports each command in JSON mode as one bounded message, with nothing stray on stdout", async () => {
			const place = await open(() => ({ text: "Hello." }));
			writeLongJournal(place);
			const commands = ["agents", "doctor", "nonsense", "logs --limit 100000"];
			const run = await runPiJson(place, "", {
				args: commands.map((command) => `/toolkit ${command}`),
				script: pi.script,
			});
			expectPure(run);
			expect(run.stderr).toBe("");
			const reports = run.events
				.filter((event) => event.type === "message_end")
				.map((event) => event["message"] as Readonly<Record<string, string>>);
			expect(reports.map(({ customType }) => customType)).toEqual(commands.map(() => "deputize-report"));
			for (const { content } of reports) expect(content?.length).toBeLessThan(20_100);
			expectBounded(reports.at(-1)?.["content"] ?? "");
			expect(provider?.requests).toHaveLength(0);
		});

		it("reports on stderr where stdout belongs to the model's answer", async () => {
			const place = await open(() => ({ text: "Hello." }));
			const run = await runPiPrint(place, "/toolkit agents", { script: pi.script });
			expect(run).toMatchObject({ exitCode: 0, stdout: "", stderr: expect.stringContaining("explorer") });
		});
	});
});

/** A server of two tools over stdio. */
const MCP_SERVER = `
import { createInterface } from "node:readline";
const send = (id, result) => process.stdout.write(JSON.stringify({ jsonrpc: "2.0", id, result }) + "\\n");
const tool = (name) => ({ name, description: name, inputSchema: { type: "object", properties: { q: { type: "string" } } } });
createInterface({ input: process.stdin }).on("line", (line) => {
	const { id, method, params } = JSON.parse(line);
	if (method === "initialize")
		send(id, { protocolVersion: params.protocolVersion, capabilities: { tools: {} }, serverInfo: { name: "docs", version: "1" } });
	else if (method === "tools/list") send(id, { tools: ["look", "erase"].map(tool) });
	else if (method === "tools/call") send(id, { content: [{ type: "text", text: "found " + params.arguments.q }] });
	else if (id !== undefined) send(id, {});
});
`;

describe.skipIf(isLeftOut(NEWER_PI))(`tools of others in pi ${NEWER_PI.version}`, () => {
	beforeAll(() => demandInstalled(NEWER_PI));

	it("reach a child that only reads when the user vouches for them, and no others do", async () => {
		const call = (name: string, input: object): ScriptedTurn => ({ calls: [{ name, arguments: input }] });
		const place = await open((request) => {
			// pi itself would run this as a command of the extension.
			if (!request.isChild)
				return request.turn === 0
					? // pi connects its servers while the model thinks.
						{ ...call("subagent", { agent: "mine", task: "/docs-wipe all" }), delayMs: 2000 }
					: { text: "Thank you." };
			const said = JSON.stringify(request.messages.at(-1)?.content);
			return [
				call("mcp__docs__look", { q: "retries" }),
				call("docs_lookup", {}),
				call("mcp__docs__erase", { q: "all" }),
				handOver(said),
			][request.turn] as ScriptedTurn;
		});
		place.write("home/server.mjs", MCP_SERVER);
		const server = { command: process.execPath, args: [join(place.home, "server.mjs")] };
		place.write("home/.pi/agent/mcp.json", JSON.stringify({ mcpServers: { docs: server } }));
		place.write(
			"home/.pi/agent/extensions/docs.ts",
			`export default (pi) => { for (const name of ["docs_lookup", "docs_erase"]) pi.registerTool({ name, label: name, description: name,
				parameters: { type: "object", properties: {} }, execute: async () => ({ content: [{ type: "text", text: "looked up" }], details: {} }) });
				pi.registerCommand("docs-wipe", { description: "wipes", handler: async () => process.exit(3) }); };`,
		);
		place.write("home/.pi/agent/agents/mine.md", "---\nname: mine\nreadonly: true\n---\nYou look.\n");
		place.write(
			"home/.pi/agent/deputize.json",
			JSON.stringify({ subagents: { readonlyTools: ["docs_lookup", "mcp__docs__l*"] } }),
		);
		const run = await runPiJson(place, "go", { script: NEWER_PI.script });
		const [end] = toolEnds(run);
		expect(end?.isError, JSON.stringify(end?.result) + run.stderr).toBe(false);
		const children = provider?.requests.filter(({ isChild }) => isChild) ?? [];
		expect(children[0]?.tools).toEqual(expect.arrayContaining(["docs_lookup", "mcp__docs__look", "read"]));
		expect(children[0]?.tools.filter((name) => /erase|bash|write|codemode/.test(name))).toEqual([]);
		const heard = JSON.stringify(children.at(-1)?.messages);
		expect(heard).toContain("found retries");
		expect(heard).toContain("looked up");
		expect(heard).toMatch(/mcp__docs__erase.{0,40}not (found|granted|available)/i);
		expect(heard).toContain("Task: /docs-wipe all");
	});
});
