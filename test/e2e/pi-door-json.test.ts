import { readdirSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, describe, expect, it } from "vitest";
import { createPiHome, EXTENSION, type PiHome, type PiHomeConfig } from "../helpers/pi-door-home.ts";
import { runPiJson, toolEnds } from "../helpers/pi-door-json.ts";
import { listProcessesOf } from "../helpers/pi-door-processes.ts";
import {
	type ScriptedProvider,
	type ScriptedRequest,
	type ScriptedTurn,
	startScriptedProvider,
} from "../helpers/pi-door-provider.ts";
import { isLeftOut, PI_VERSIONS } from "../helpers/pi-door-versions.ts";

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

async function open(
	script: (request: ScriptedRequest) => ScriptedTurn,
	config?: PiHomeConfig,
): Promise<PiHome> {
	provider = await startScriptedProvider(script);
	home = createPiHome(provider.baseUrl, config === undefined ? {} : { config });
	return home;
}

const HAND_OVER: ScriptedTurn = {
	calls: [{ name: "subagent_finalize", arguments: { status: "SUCCESS", result: "It is in **a.ts:1**." } }],
};

function call(agent: string, task = "Where is the retry decided?", extra: object = {}): ScriptedTurn {
	return { calls: [{ name: "subagent", arguments: { agent, task, ...extra } }] };
}

/** A parent that makes one call and then says what it got. */
function parentCalls(turn: ScriptedTurn, child: ScriptedTurn = HAND_OVER) {
	return (request: ScriptedRequest): ScriptedTurn => {
		if (request.isChild) return child;
		return request.turn === 0 ? turn : { text: "Thank you." };
	};
}

describe("the subagent tool in pi's JSON mode", () => {
	it("delegates, returns the answer with its details and adds the child's spending to the parent's", async () => {
		const run = await runPiJson(await open(parentCalls(call("explorer"))), "go");
		const [end] = toolEnds(run);
		expect(run.exitCode).toBe(0);
		expect(end?.isError).toBe(false);
		expect(end?.result.content[0]?.text).toContain("**Status:** SUCCESS");
		expect(end?.result.content[0]?.text).toContain("It is in **a.ts:1**.");
		expect(end?.result.details["results"]).toMatchObject([
			{ agent: "explorer", exitCode: 0, agentSource: "builtin" },
		]);
		expect(end?.result.usage).toMatchObject({ totalTokens: 1050, cost: { total: 0.00375 } });
		expect(home?.readJournal()).toMatchObject([{ kind: "subagent", name: "explorer", ok: true }]);
	});

	it("writes nothing but events to stdout, and bounds every update", async () => {
		const long = { text: "word ".repeat(60_000), ...HAND_OVER };
		const run = await runPiJson(await open(parentCalls(call("explorer"), long)), "go");
		expect(run.lines.length).toBe(run.events.length);
		const updates = run.events.filter((event) => event.type === "tool_execution_update");
		expect(updates.length).toBeGreaterThan(0);
		for (const update of updates) expect(JSON.stringify(update).length).toBeLessThan(40_000);
	});

	it("marks a failure as an error for the model and keeps its details, usage and the way on", async () => {
		const place = await open((request) => {
			if (!request.isChild) return request.turn === 0 ? call("explorer") : { text: "Thank you." };
			return request.turn === 0 ? { calls: [{ name: "ls", arguments: {} }] } : { status: 401 };
		});
		const run = await runPiJson(place, "go");
		const [end] = toolEnds(run);
		expect(end?.isError).toBe(true);
		expect(end?.result.details["error"]).toMatchObject({
			code: "SUBAGENT_FAILED",
			message: expect.stringContaining("401"),
		});
		expect(end?.result.details["results"]).toMatchObject([{ agent: "explorer", exitCode: 1 }]);
		expect(end?.result.details["sessionId"]).toMatch(/^[0-9a-f-]{36}$/);
		expect(end?.result.usage).toMatchObject({ totalTokens: 1050 });
		const told = provider?.requests.at(-1)?.messages.at(-1);
		expect(JSON.stringify(told)).toContain("**Status:** ERROR");
	});

	it("refuses fields it does not know by name, with its own code, and names the agents there are when asked for one there is not", async () => {
		const mistakes = [call("explorer", "x", { async: true }), call("nobody")];
		const place = await open(({ turn }) => mistakes[turn] ?? { text: "Thank you." });
		const [unknown, nobody] = toolEnds(await runPiJson(place, "go"));
		expect(unknown?.isError).toBe(true);
		expect(unknown?.result.details["error"]).toMatchObject({
			code: "INVALID_INPUT",
			message: expect.stringContaining('"async"'),
		});
		expect(nobody?.isError).toBe(true);
		expect(nobody?.result.content[0]?.text).toContain("explorer");
		expect(provider?.requests.some((request) => request.isChild)).toBe(false);
	});

	it("tells the model when to delegate and to whom, in one section of the prompt, and costs less than 1,800 bytes of every request, and less than 400 tokens of four characters", async () => {
		const place = await open(() => ({ text: "Hello." }));
		await runPiJson(place, "go", { extensions: [] });
		await runPiJson(place, "go");
		const [bare, ours] = provider?.requests ?? [];
		const added = (ours?.bytes ?? 0) - (bare?.bytes ?? 0);
		expect(added).toBeGreaterThan(500);
		expect(added).toBeLessThanOrEqual(1800);
		const prompt = String(ours?.messages[0]?.content);
		for (const agent of ["explorer", "implementer", "researcher", "reviewer", "tester"]) {
			expect(prompt.match(new RegExp(`^- ${agent}: `, "gm"))).toHaveLength(1);
		}
		expect(prompt).toContain("You are an expert coding assistant operating inside pi");
		const policy = /<delegation>[\s\S]*<\/delegation>/.exec(prompt)?.[0] ?? "";
		const tool = ((ours?.body["tools"] ?? []) as { function: { name: string } }[]).find(
			(candidate) => candidate.function.name === "subagent",
		);
		expect(policy).not.toBe("");
		expect((policy.length + JSON.stringify(tool).length) / 4).toBeLessThan(400);
	});

	it("does not register the tool when subagents are switched off", async () => {
		const place = await open(() => ({ text: "Hello." }), { subagents: { enabled: false } });
		await runPiJson(place, "go");
		expect(provider?.requests[0]?.tools).not.toContain("subagent");
		expect(String(provider?.requests[0]?.messages[0]?.content)).not.toContain("<delegation>");
	});

	it("registers nothing in a process that is a child", async () => {
		const place = await open(() => ({ text: "Hello." }));
		await runPiJson(place, "go", { env: { PI_SUBAGENT_CHILD: "1" } });
		expect(provider?.requests[0]?.tools).toEqual(["read", "bash", "edit", "write"]);
	});

	it("says on stderr what is wrong with the configuration, and refuses to delegate with it", async () => {
		const place = await open(parentCalls(call("explorer")), { subagents: { timeoutMs: "long" } });
		const run = await runPiJson(place, "go");
		expect(run.stderr).toContain("subagents.timeoutMs");
		expect(run.lines.length).toBe(run.events.length);
		expect(toolEnds(run)[0]?.result.details["error"]).toMatchObject({ code: "INVALID_INPUT" });
	});
});

describe("several calls in one message", () => {
	it("run at the same time up to the limit, and the rest wait in order and say so", async () => {
		const agents = ["explorer", "reviewer", "tester", "implementer"];
		const both = Promise.withResolvers<void>();
		let parallel = 0;
		let most = 0;
		const tasks: string[] = [];
		const place = await open(
			(request) => {
				if (request.isChild && request.turn === 0) {
					parallel += 1;
					most = Math.max(most, parallel);
					tasks.push(String(JSON.stringify(request.messages.at(-1)?.content)));
					if (parallel === 2) both.resolve();
					// Nobody is answered before two are there, nor at once then: a third would have time to come too.
					return {
						calls: [{ name: "ls", arguments: { path: "." } }],
						after: both.promise.then(() => sleep(300)),
					};
				}
				if (request.isChild) {
					parallel -= 1;
					return HAND_OVER;
				}
				if (request.turn > 0) return { text: "Thank you." };
				return {
					calls: agents.map((agent, index) => ({
						name: "subagent",
						arguments: { agent, task: `task ${index}` },
					})),
				};
			},
			{ subagents: { maxConcurrency: 2 } },
		);
		const run = await runPiJson(place, "go");
		expect(toolEnds(run).map((end) => end.isError)).toEqual([false, false, false, false]);
		expect(most).toBe(2);
		expect([...tasks.slice(0, 2)].sort().join()).toMatch(/task 0.*task 1/);
		const waiting = run.events.filter(
			(event) => event.type === "tool_execution_update" && JSON.stringify(event).includes('"waiting":true'),
		);
		expect(waiting.length).toBe(2);
	});
});

describe("a project's own agents", () => {
	const agentFile = "---\nname: deployer\ndescription: Deploy it\ntools: read\n---\nYou deploy.\n";

	it("are refused where nobody can be asked, and are not advertised", async () => {
		const place = await open(parentCalls(call("deployer")));
		place.write("project/.pi/agents/deployer.md", agentFile);
		const run = await runPiJson(place, "go");
		const [end] = toolEnds(run);
		expect(end?.isError).toBe(true);
		expect(end?.result.details["error"]).toMatchObject({
			code: "SUBAGENT_DISABLED",
			message: expect.stringContaining("/trust"),
		});
		expect(String(provider?.requests[0]?.messages[0]?.content)).not.toContain("deployer");
	});

	it("run without a question in a project that is trusted", async () => {
		const place = await open(parentCalls(call("deployer")));
		place.write("project/.pi/agents/deployer.md", agentFile);
		place.write("home/.pi/agent/trust.json", JSON.stringify({ [place.project]: true }));
		const run = await runPiJson(place, "go");
		expect(toolEnds(run)[0]?.result.details["results"]).toMatchObject([{ agentSource: "project" }]);
		expect(String(provider?.requests[0]?.messages[0]?.content)).toContain("- deployer: Deploy it");
	});
});

describe("tools of other extensions", () => {
	const toolExtension = `
		export default function (pi) {
			pi.registerTool({
				name: "lookup",
				label: "Lookup",
				description: "Look something up",
				parameters: { type: "object", properties: {}, required: [] },
				async execute() {
					return { content: [{ type: "text", text: "looked up" }], details: {} };
				},
			});
		}`;

	it("reach the child that lists them, and only that extension is loaded there", async () => {
		const place = await open(
			(request) => {
				if (!request.isChild) return request.turn === 0 ? call("helper") : { text: "Thank you." };
				return request.turn === 0 ? { calls: [{ name: "lookup", arguments: {} }] } : HAND_OVER;
			},
			{ subagents: { allowWrite: true } },
		);
		place.write("home/.pi/agent/extensions/lookup.ts", toolExtension);
		place.write(
			"home/.pi/agent/extensions/other.ts",
			'export default function (pi) { pi.registerCommand("other", { handler: async () => {} }); }',
		);
		place.write(
			"home/.pi/agent/agents/helper.md",
			"---\nname: helper\ndescription: Help\ntools: read, lookup\n---\nYou help.\n",
		);
		const run = await runPiJson(place, "go");
		expect(toolEnds(run)[0]?.isError).toBe(false);
		const child = provider?.requests.find((request) => request.isChild);
		expect(child?.tools).toEqual(["read", "lookup", "subagent_finalize"]);
		const answers = provider?.requests.filter((request) => request.isChild).at(-1)?.messages;
		expect(JSON.stringify(answers)).toContain("looked up");
	});

	it("a gate of the user holds in a child that may write", async () => {
		const place = await open(
			(request) => {
				if (!request.isChild) return request.turn === 0 ? call("writer") : { text: "Thank you." };
				const attempt = { command: "echo escaped >escaped.txt" };
				return request.turn === 0 ? { calls: [{ name: "bash", arguments: attempt }] } : HAND_OVER;
			},
			{ subagents: { allowWrite: true } },
		);
		place.write(
			"home/.pi/agent/extensions/gate.ts",
			`export default function (pi) {
				pi.on("tool_call", (event) => event.toolName === "bash" ? { block: true, reason: "not on my machine" } : undefined);
			}`,
		);
		place.write(
			"home/.pi/agent/agents/writer.md",
			"---\nname: writer\ndescription: Write\ntools: read, bash\n---\nYou write.\n",
		);
		await runPiJson(place, "go");
		const answers = provider?.requests.filter((request) => request.isChild).at(-1)?.messages;
		expect(JSON.stringify(answers)).toContain("not on my machine");
		expect(readdirSync(place.project)).not.toContain("escaped.txt");
	});
});

describe.each(PI_VERSIONS)("in JSON mode of pi $version", (pi) => {
	it.skipIf(isLeftOut(pi))(
		"/toolkit run answers in the stream, and other extensions hear of the run",
		async () => {
			const place = await open(parentCalls(call("explorer")));
			const listener = place.write(
				"listener.mjs",
				`export default (pi) => {
				for (const name of ["start", "update", "end"])
					pi.events.on("deputize:" + name, (facts) => process.stderr.write(name + " " + JSON.stringify(facts) + "\\n"));
			};`,
			);
			const run = await runPiJson(place, "/toolkit run explorer Where is it?", {
				script: pi.script,
				extensions: [EXTENSION, listener],
			});
			expect(JSON.stringify(run.events)).toMatch(/deputize-answer.*It is in \*\*a\.ts:1\*\*/);
			expect(run.stderr).toMatch(
				/^start \{"toolCallId":"toolkit-.*"agent":"explorer".*"model":"scripted\/model-1"/m,
			);
			expect(run.stderr).toMatch(/^update .*"activity":"/m);
			expect(run.stderr).toMatch(/^end .*"ok":true.*"durationMs":\d+/m);
			expect(run.stderr).not.toContain("Where is it?");
			expect(provider?.requests.every((request) => request.isChild)).toBe(true);
		},
	);
});
