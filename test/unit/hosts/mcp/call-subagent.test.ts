import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { asList, asObject, type JsonObject } from "../../../../packages/ground/json/json-values.ts";
import type { RedactedText } from "../../../../packages/redaction/redacted-text.ts";
import type { AgentDefinition } from "../../../../src/contract/agent.ts";
import type { McpServerOptions } from "../../../../src/contract/mcp.ts";
import type { DelegationResult, DelegationUpdate, ResultChanges } from "../../../../src/contract/result.ts";
import { NO_USAGE } from "../../../../src/contract/usage.ts";
import type { DelegateOptions } from "../../../../src/delegation/delegate-options.ts";
import { parseDelegateOptions } from "../../../../src/delegation/parse-delegate-options.ts";
import { createSubagentCalls } from "../../../../src/hosts/mcp/call-subagent.ts";
import type { Caller } from "../../../../src/hosts/mcp/caller.ts";
import { createRuns } from "../../../../src/hosts/mcp/create-runs.ts";
import type { Call } from "../../../../src/hosts/mcp/create-server.ts";
import { InputRequired } from "../../../../src/hosts/mcp/input-required.ts";

const SESSION = "550e8400-e29b-41d4-a716-446655440000";
const INPUT = { agent: "explorer", task: "Find it" };
const OPTIONS: McpServerOptions = { agentsDirectories: [], builtinOnly: false, offline: true };
const CODEX: Caller = { isModern: false, name: "codex-mcp-client", canElicit: true, hasRoots: false };
const CLAUDE: Caller = { isModern: true, name: "claude-code", canElicit: true, hasRoots: true };

const update = {
	content: [{ type: "text", text: "The parser is" }],
	details: {
		mode: "single",
		sessionId: SESSION,
		results: [],
		streaming: {
			displayItems: [{ type: "toolCall", name: "grep", args: { pattern: "parse" } }],
			usage: NO_USAGE,
			turnCount: 1,
			activity: "writing",
		},
	},
} as unknown as DelegationUpdate;

const success = {
	content: [{ type: "text", text: "**Status:** SUCCESS" }],
	details: {
		mode: "single",
		runId: "12345678",
		sessionId: SESSION,
		results: [
			{ agent: "explorer", agentSource: "builtin", model: "p/m", confinement: "os-sandbox", durationMs: 5 },
		],
	},
	isError: false,
} as unknown as DelegationResult;

const failure = {
	content: [{ type: "text", text: "**Status:** ERROR" }],
	details: { mode: "single", results: [], error: { code: "UNKNOWN_AGENT", message: "no" } },
	isError: true,
} as unknown as DelegationResult;

const agent = {
	name: "audit",
	description: "Audit",
	prompt: "You audit.",
	readonly: true,
	tools: { kind: "default" },
	source: "project",
	file: "/p/.agents/audit.md",
	contentHash: "abc",
} as AgentDefinition;

type Behavior = (options: DelegateOptions) => Promise<DelegationResult>;

let home: string;
let previous: string | undefined;
beforeAll(() => {
	home = mkdtempSync(`${tmpdir()}/deputize-mcp-`);
	writeFileSync(`${home}/deputize.json`, JSON.stringify({ lsp: { shareWithChildren: false } }));
	previous = process.env["PI_CODING_AGENT_DIR"];
	process.env["PI_CODING_AGENT_DIR"] = home;
});
afterAll(() => {
	if (previous === undefined) delete process.env["PI_CODING_AGENT_DIR"];
	else process.env["PI_CODING_AGENT_DIR"] = previous;
	rmSync(home, { recursive: true, force: true });
});

function start(behave: Behavior, options: Partial<McpServerOptions> = {}) {
	const seen: DelegateOptions[] = [];
	const asked: JsonObject[] = [];
	const calls = createSubagentCalls({
		options: { ...OPTIONS, ...options },
		runs: createRuns(),
		cwd: home,
		runDelegation: (_input, given = {}) => {
			seen.push(given);
			return behave(given);
		},
	});
	const run = (input: unknown, caller: Caller, call: Partial<Call> & { answer?: JsonObject } = {}) =>
		calls.run(
			{
				params: {},
				caller,
				signal: new AbortController().signal,
				sendProgress: undefined,
				outgoing: {
					ask: async (question) => {
						asked.push(question);
						return call.answer;
					},
					settle: () => undefined,
				},
				...call,
			},
			input,
			home,
		);
	return { run, seen, asked };
}

describe("a call of subagent", () => {
	it("is text, with facts for programs on success only", async () => {
		const ok = await start(async () => success).run(INPUT, CLAUDE);
		expect(ok).toEqual({
			content: success.content,
			_meta: {
				"deputize/result": {
					status: "SUCCESS",
					runId: "12345678",
					sessionId: SESSION,
					agent: "explorer",
					agentSource: "builtin",
					model: "p/m",
					confinement: "os-sandbox",
					durationMs: 5,
				},
			},
		});
		const failed = await start(async () => failure).run({ agent: "x", task: "y" }, CLAUDE);
		expect(failed).toEqual({ content: failure.content, isError: true });
	});

	it("asks for the id of changes to be typed, where a client can be asked after a run", async () => {
		const changes = { id: "1a2b3c4d", isolation: "layer", state: "pending", files: [] } as unknown;
		const decisions: unknown[] = [];
		const behave: Behavior = async ({ host }) => {
			decisions.push(
				await host?.decideChanges?.(
					{
						...(changes as ResultChanges),
						...{ added: 0, removed: 0, commands: [], refusedCalls: 0 },
						...{ ignored: { count: 0, names: [] }, repositories: { count: 0, names: [] } },
					},
					"Done." as RedactedText,
				),
			);
			return success;
		};
		const server = start(behave);
		const accept = (apply: string) => ({ answer: { action: "accept", content: { apply } } });
		await server.run(INPUT, CODEX, accept("1a2b3c4d"));
		await server.run(INPUT, CODEX, accept("yes"));
		await server.run(INPUT, CODEX, { answer: { action: "decline" } });
		await server.run(INPUT, CLAUDE);
		await server.run(INPUT, { ...CODEX, canElicit: false });
		expect(decisions).toEqual(["apply", "keep", "keep", undefined, undefined]);
		expect(JSON.stringify(server.asked[0])).toContain("Type 1a2b3c4d to apply them");
	});

	it("tells the engine who asks and how much that client takes", async () => {
		const { run, seen } = start(async () => success);
		await run(INPUT, CODEX);
		await run(INPUT, CLAUDE);
		expect(seen.map(({ host }) => [host?.callingClient, host?.parent, host?.maxResultBytes])).toEqual([
			["codex-mcp-client", "mcp:codex-mcp-client", 10_000],
			["claude-code", "mcp:claude-code", 24_000],
		]);
	});

	it("gives the engine no option that it would refuse", async () => {
		const own = { answerWithinMs: 60_000, maxResultBytes: 9000, heartbeatMs: 50 };
		const { run, seen } = start(async () => success, { ...own, model: "p/m", timeoutMs: 5000 });
		await run(INPUT, CODEX);
		expect(parseDelegateOptions(seen[0])).not.toHaveProperty("refusal");
		expect(seen[0]).toMatchObject({ model: "p/m", timeoutMs: 5000, host: { maxResultBytes: 9000 } });
	});

	it("is answered before the client gives up; the next call with the session joins the run", async () => {
		let finish: (result: DelegationResult) => void = () => undefined;
		const { run, seen } = start(
			async ({ onUpdate }) => {
				onUpdate?.(update);
				return new Promise((resolve) => {
					finish = resolve;
				});
			},
			{ answerWithinMs: 10 },
		);
		const first = await run(INPUT, CODEX);
		const text = String(asObject(asList(first?.["content"])[0])["text"]);
		expect(first).not.toHaveProperty("isError");
		expect(text.split("\n").slice(0, 2)).toEqual(["**Status:** RUNNING", `**Session ID:** \`${SESSION}\``]);
		expect(text).toContain("- grep parse");
		expect(text).toContain("The parser is");
		expect(text).toContain(`sessionId "${SESSION}"`);
		// After a restart of the server nobody remembers the run, and the task of the next call is sent.
		expect(text).toContain('the task "Go on, and hand over your answer."');
		const joined = run({ agent: "explorer", task: "wait", sessionId: SESSION }, CODEX);
		finish(success);
		expect(await joined).toMatchObject({ content: success.content });
		expect(seen).toHaveLength(1);
		// The result was received: the session now continues as usual.
		void run({ agent: "explorer", task: "And then?", sessionId: SESSION }, CODEX);
		await vi.waitFor(() => expect(seen).toHaveLength(2));
	});

	it("sends progress while it waits", async () => {
		const sent: JsonObject[] = [];
		const { run } = start(async ({ onUpdate }) => {
			onUpdate?.(update);
			return success;
		});
		await run(INPUT, CLAUDE, { sendProgress: (progress) => sent.push(progress) });
		expect(sent[0]).toEqual({ progress: 0, message: "explorer · turn 2 · writing…" });
	});

	it("ends its delegation when it is cancelled, and has no answer then", async () => {
		const cancelled = new AbortController();
		let ended = false;
		const { run, seen } = start(
			({ signal }) =>
				new Promise((resolve) =>
					signal?.addEventListener("abort", () => {
						ended = true;
						resolve(failure);
					}),
				),
		);
		const answer = run(INPUT, CLAUDE, { signal: cancelled.signal });
		await vi.waitFor(() => expect(seen).toHaveLength(1));
		cancelled.abort();
		expect(await answer).toBeUndefined();
		expect(ended).toBe(true);
	});
});

describe("an agent of the project", () => {
	const askTrust: Behavior = async ({ host }) =>
		(await host?.confirmAgent?.(agent, { tools: ["read"], withheld: [], notGranted: [] } as never))
			? success
			: failure;

	it.each([
		[{ action: "accept", content: { run: "audit" } }, false],
		[{ action: "accept", content: { run: true } }, true],
		[{ action: "accept", content: { run: "true" } }, true],
		[{ action: "accept", content: { run: "please look at the tests" } }, true],
		[{ action: "accept", content: { run: "Audit" } }, true],
		[{ action: "accept", content: { run: " audit" } }, true],
		[{ action: "accept", content: { run: "" } }, true],
		[{ action: "accept", content: { run: ["audit"] } }, true],
		[{ action: "accept" }, true],
		[{ action: "decline" }, true],
		[undefined, true],
	])(
		"is run or not by an answer %j of the person at a client with a handshake",
		async (answer, isRefused) => {
			const { run, asked } = start(askTrust);
			const result = await run(INPUT, CODEX, answer === undefined ? {} : { answer });
			expect(Boolean(result?.["isError"])).toBe(isRefused);
			expect(asked).toHaveLength(1);
			expect(asked[0]).toMatchObject({ method: "elicitation/create", params: { mode: "form" } });
			expect(JSON.stringify(asked[0])).toContain("You audit.");
			const { message, requestedSchema } = asObject(asObject(asked[0])["params"]);
			// Claude Code shows two lines.
			const [first, second] = String(message).split("\n");
			expect(first).toContain('Run the agent "audit"');
			expect(second).toContain("Read the file before you say yes");
			expect(second).toContain("the tools read");
			expect(requestedSchema).toMatchObject({
				properties: { run: { type: "string", title: "Type audit to run it" } },
				required: ["run"],
			});
		},
	);

	it("is a question first at a client without one, and the repeated call carries the answer", async () => {
		const { run, asked } = start(askTrust);
		const question: unknown = await run(INPUT, CLAUDE).catch((error: unknown) => error);
		if (!(question instanceof InputRequired)) throw new Error("no question was asked");
		const { key } = question.question;
		expect(key).toBe("trust-abc");
		const inputResponses = { [key]: { action: "accept", content: { run: "audit" } } };
		expect(await run(INPUT, CLAUDE, { params: { inputResponses } })).not.toHaveProperty("isError");
		expect(asked).toEqual([]);
	});

	it("cannot be asked about where the client has no form", async () => {
		const { run, seen } = start(async () => success);
		await run(INPUT, { ...CODEX, canElicit: false });
		expect(seen[0]?.host).not.toHaveProperty("confirmAgent");
	});
});
