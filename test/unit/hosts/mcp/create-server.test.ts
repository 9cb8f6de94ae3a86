import { describe, expect, it, vi } from "vitest";
import type { JsonObject } from "../../../../packages/ground/json/json-values.ts";
import { type Call, createServer, type Services } from "../../../../src/hosts/mcp/create-server.ts";
import { InputRequired } from "../../../../src/hosts/mcp/input-required.ts";

function start(overrides: Partial<Services> = {}, hasRoom = true) {
	const sent: JsonObject[] = [];
	const services: Services = {
		listTools: async () => ({ tools: [{ name: "subagent" }] }),
		callTool: async () => ({ content: [{ type: "text", text: "answer" }] }),
		listPrompts: async () => ({ prompts: [] }),
		getPrompt: async () => ({ messages: [] }),
		forgetRoots: vi.fn(),
		...overrides,
	};
	const server = createServer({
		version: "1.2.3",
		send: (message) => sent.push(message),
		hasRoom: () => hasRoom,
		services,
	});
	const say = async (message: object): Promise<void> => {
		server.receive(JSON.stringify({ jsonrpc: "2.0", ...message }));
		await new Promise((resolve) => setImmediate(resolve));
	};
	return { sent, say, server, services };
}

const META = {
	"io.modelcontextprotocol/protocolVersion": "2026-07-28",
	"io.modelcontextprotocol/clientInfo": { name: "claude-code", version: "2" },
	"io.modelcontextprotocol/clientCapabilities": { elicitation: { form: {} }, roots: {} },
};

describe("the handshake era", () => {
	it.each([
		["2025-06-18", "2025-06-18"],
		["2024-11-05", "2024-11-05"],
		["2026-07-28", "2025-11-25"],
		["1999-01-01", "2025-11-25"],
		[undefined, "2025-11-25"],
	])("asked for %s it agrees on %s", async (requested, agreed) => {
		const { sent, say } = start();
		await say({ id: 0, method: "initialize", params: { protocolVersion: requested, capabilities: {} } });
		expect(sent).toEqual([
			{
				jsonrpc: "2.0",
				id: 0,
				result: {
					protocolVersion: agreed,
					capabilities: { tools: {}, prompts: {} },
					serverInfo: { name: "deputize", title: "deputize", version: "1.2.3" },
				},
			},
		]);
	});

	it("remembers who the client is, and answers without the words of the other era", async () => {
		const calls: Call[] = [];
		const { sent, say } = start({
			callTool: async (call) => {
				calls.push(call);
				return { content: [] };
			},
		});
		const clientInfo = { name: "codex-mcp-client" };
		await say({ id: 0, method: "initialize", params: { clientInfo, capabilities: { elicitation: {} } } });
		await say({ method: "notifications/initialized" });
		await say({ id: 1, method: "tools/list" });
		await say({ id: 2, method: "tools/call", params: { name: "subagent" } });
		await say({ id: 3, method: "ping" });
		expect(calls[0]?.caller).toEqual({
			isModern: false,
			name: "codex-mcp-client",
			canElicit: true,
			hasRoots: false,
		});
		expect(sent.slice(1).map(({ id, result }) => [id, result])).toEqual([
			[1, { tools: [{ name: "subagent" }] }],
			[2, { content: [] }],
			[3, {}],
		]);
	});
});

describe("the era without a handshake", () => {
	it("says what it speaks when asked", async () => {
		const { sent, say } = start();
		await say({ id: "probe", method: "server/discover", params: { _meta: META } });
		expect(sent[0]).toMatchObject({
			id: "probe",
			result: {
				resultType: "complete",
				supportedVersions: ["2026-07-28", "2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"],
				capabilities: { tools: {}, prompts: {} },
				ttlMs: 60_000,
				cacheScope: "private",
			},
		});
	});

	it("takes who asks from each request", async () => {
		const callers: unknown[] = [];
		const { sent, say } = start({
			callTool: async ({ caller }) => {
				callers.push(caller);
				return { content: [] };
			},
		});
		await say({ id: 1, method: "tools/call", params: { name: "subagent", _meta: META } });
		await say({ id: 2, method: "tools/call", params: { name: "subagent" } });
		expect(callers).toEqual([
			{ isModern: true, name: "claude-code", canElicit: true, hasRoots: true },
			{ isModern: false, name: "", canElicit: false, hasRoots: false },
		]);
		expect(sent.map(({ result }) => result)).toEqual([
			{ resultType: "complete", content: [] },
			{ content: [] },
		]);
	});

	it("refuses a version it does not speak and names those it does", async () => {
		const { sent, say } = start();
		const _meta = { ...META, "io.modelcontextprotocol/protocolVersion": "2027-01-01" };
		await say({ id: 1, method: "tools/list", params: { _meta } });
		expect(sent[0]).toMatchObject({
			id: 1,
			error: {
				code: -32022,
				data: { requested: "2027-01-01", supported: expect.arrayContaining(["2026-07-28"]) },
			},
		});
	});

	it("turns a question into a result", async () => {
		const { sent, say } = start({
			callTool: async () => {
				throw new InputRequired({ key: "k", method: "elicitation/create", params: { message: "?" } });
			},
		});
		await say({ id: 1, method: "tools/call", params: { name: "subagent", _meta: META } });
		expect(sent[0]?.["result"]).toEqual({
			resultType: "input_required",
			inputRequests: { k: { method: "elicitation/create", params: { message: "?" } } },
		});
	});
});

describe("requests and notifications", () => {
	it("a call that is cancelled gets no answer, whatever comes of it", async () => {
		let finish: (value: JsonObject) => void = () => undefined;
		const signals: AbortSignal[] = [];
		const { sent, say } = start({
			callTool: ({ signal }) => {
				signals.push(signal);
				return new Promise((resolve) => {
					finish = resolve;
				});
			},
		});
		await say({ id: 7, method: "tools/call", params: { name: "subagent" } });
		await say({ method: "notifications/cancelled", params: { requestId: 7, reason: "user" } });
		expect(signals[0]?.aborted).toBe(true);
		finish({ content: [] });
		await new Promise((resolve) => setImmediate(resolve));
		expect(sent).toEqual([]);
	});

	it("a cancellation of what is not running is ignored", async () => {
		const { sent, say } = start();
		await say({ id: 2, method: "tools/call", params: {} });
		await say({ method: "notifications/cancelled", params: { requestId: 2, reason: "AbortError" } });
		await say({ method: "notifications/cancelled" });
		await say({ id: 3, method: "ping" });
		expect(sent.map(({ id }) => id)).toEqual([2, 3]);
	});

	it("progress goes to whoever asked for it, and only while the client reads", async () => {
		const callTool = async ({ sendProgress }: Call): Promise<JsonObject> => {
			sendProgress?.({ progress: 1, message: "m" });
			return { content: [] };
		};
		const open = start({ callTool });
		await open.say({ id: 1, method: "tools/call", params: { _meta: { progressToken: 0 } } });
		await open.say({ id: 2, method: "tools/call", params: {} });
		expect(open.sent.map(({ method, params, id }) => params ?? method ?? id)).toEqual([
			{ progressToken: 0, progress: 1, message: "m" },
			1,
			2,
		]);
		const blocked = start({ callTool }, false);
		await blocked.say({ id: 1, method: "tools/call", params: { _meta: { progressToken: 0 } } });
		expect(blocked.sent.map(({ id }) => id)).toEqual([1]);
	});

	it("what is not understood is refused with its id", async () => {
		const { sent, say, server } = start({
			listTools: async () => {
				throw new Error("a bug");
			},
		});
		await say({ id: 1, method: "resources/list" });
		await say({ id: 2, method: "tools/list" });
		server.receive("{");
		server.refuseLine(70_000_000);
		expect(sent.map(({ id, error }) => [id, (error as JsonObject)["code"]])).toEqual([
			[1, -32601],
			[2, -32603],
			[null, -32700],
			[null, -32600],
		]);
	});

	it("answers to requests of ours arrive; refused, unknown and withdrawn ones do no harm", async () => {
		const answers: unknown[] = [];
		const { sent, say } = start({
			callTool: async ({ outgoing, signal }) => {
				answers.push(await outgoing.ask({ method: "roots/list" }, { timeoutMs: 60_000, signal }));
				return { content: [] };
			},
		});
		await say({ id: 1, method: "tools/call" });
		await say({ id: "deputize-1", result: { roots: [] } });
		await say({ id: "deputize-1", result: { roots: [1] } });
		await say({ id: 2, method: "tools/call" });
		await say({ id: "deputize-2", error: { code: -32601, message: "no" } });
		await say({ id: 3, method: "tools/call" });
		await say({ method: "notifications/cancelled", params: { requestId: 3 } });
		expect(answers).toEqual([{ roots: [] }, undefined, undefined]);
		expect(sent.at(-1)).toMatchObject({
			method: "notifications/cancelled",
			params: { requestId: "deputize-3" },
		});
	});

	it("changed roots are asked for again", async () => {
		const { say, services } = start();
		await say({ method: "notifications/roots/list_changed" });
		expect(services.forgetRoots).toHaveBeenCalledTimes(1);
	});
});
