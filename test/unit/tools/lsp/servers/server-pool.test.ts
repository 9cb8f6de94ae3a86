import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import {
	callLsp,
	createTestTool,
	createWorkspace,
	fakeServerConfig,
	isGone,
	LSP_FIXTURES,
	type LspWorkspace,
	placesOf,
	readFakeLog,
	startedServers,
	type TestToolOptions,
} from "../../../../helpers/lsp-workspace.ts";

let workspace: LspWorkspace;
let log: string;
const closing: (() => Promise<void>)[] = [];

beforeEach(() => {
	workspace = createWorkspace();
	log = join(workspace.directory, "server.log");
	workspace.write("a.fake", "define area\nuse area\nBAD\n");
});
afterEach(async () => {
	await Promise.all(closing.splice(0).map((close) => close()));
	for (const pid of startedServers(log)) expect(isGone(pid)).toBe(true);
	workspace.remove();
});

function createTool(behaviour: string, options: TestToolOptions = {}) {
	const tool = createTestTool({
		...options,
		config: { ...fakeServerConfig(behaviour, log), ...options.config },
	});
	closing.push(tool.close);
	return tool;
}

const definition = { action: "definition", file: "a.fake", line: 2, column: 5 };

describe("a server that misbehaves", () => {
	it("is missing: says what to do", async () => {
		const tool = createTestTool({
			config: {
				servers: {
					fake: { command: ["no-such-server"], languages: ["fake"], extensions: [".fake"], rootMarkers: [] },
				},
			},
		});
		closing.push(tool.close);
		const outcome = await callLsp(tool, workspace, definition);
		expect(outcome.text).toMatch(
			/^LSP_SERVER_NOT_FOUND: no-such-server is not installed.*lsp\.servers\.fake\.command/,
		);
	});

	it("crashes on start: one restart, then the exit code and its own words, and no third start", async () => {
		const tool = createTool("crash-on-start");
		const outcome = await callLsp(tool, workspace, definition);
		expect(outcome.isError).toBe(true);
		expect(outcome.text).toMatch(/^LSP_SERVER_FAILED: .*failed twice.*exit code 3.*cannot find my library/s);
		expect(outcome.text).not.toContain("\u001b");
		const again = await callLsp(tool, workspace, definition);
		expect(again.text).toMatch(/not started again for another \d+ s/);
		expect(startedServers(log)).toHaveLength(2);
	});

	it("crashes in the middle of a request: one restart, then a clear error", async () => {
		const outcome = await callLsp(createTool("crash-mid-request"), workspace, definition);
		expect(outcome.text).toMatch(/^LSP_SERVER_FAILED: .*exit code 9/);
		expect(startedServers(log)).toHaveLength(2);
	});

	it("crashes once: the caller does not notice", async () => {
		const outcome = await callLsp(createTool("crash-once"), workspace, definition);
		expect(placesOf(outcome)).toEqual(["a.fake:1:8"]);
		expect(startedServers(log)).toHaveLength(2);
	});

	it("never answers: a timeout that is not an empty answer", async () => {
		const tool = createTool("never-answers", { config: { requestTimeoutMs: 300 } });
		const outcome = await callLsp(tool, workspace, definition);
		expect(outcome).toMatchObject({ isError: true, details: { error: { code: "LSP_TIMEOUT" } } });
		await expect.poll(() => readFakeLog(log).map(({ method }) => method)).toContain("$/cancelRequest");
	});

	it("refuses in words with escapes: they arrive without", async () => {
		const { text } = await callLsp(createTool("refuses"), workspace, definition);
		expect(text).toContain("not now");
		expect(text).not.toContain("\u001b");
	});

	it("never finishes starting: a timeout, and the process is gone at once", async () => {
		const tool = createTool("never-initializes", { config: { requestTimeoutMs: 300 } });
		const outcome = await callLsp(tool, workspace, definition);
		expect(outcome.text).toMatch(/^LSP_TIMEOUT: The fake language server did not start/);
		for (const pid of startedServers(log)) expect(isGone(pid)).toBe(true);
	});

	it.each(["garbage", "endless-garbage"])("sends %s: a clear error", async (behaviour) => {
		const outcome = await callLsp(createTool(behaviour), workspace, definition);
		expect(outcome.text).toMatch(/^LSP_SERVER_FAILED: .*not the language server protocol/);
	});

	it("prints chatter before it speaks: works", async () => {
		expect(placesOf(await callLsp(createTool("chatter"), workspace, definition))).toEqual(["a.fake:1:8"]);
	});

	it("floods diagnostics: still answers, and shows a bounded part", async () => {
		const tool = createTool("flood");
		expect(placesOf(await callLsp(tool, workspace, definition))).toEqual(["a.fake:1:8"]);
		const outcome = await callLsp(tool, workspace, { action: "diagnostics", file: "a.fake", limit: 200 });
		expect(outcome.details["total"]).toBe(500);
		expect(outcome.text.length).toBeLessThan(61_000);
	});

	it.each(["off", "required"] as const)(
		"eats memory: is ended before it has taken much, and the answer says so (sandbox %s)",
		async (sandbox) => {
			const fake = fakeServerConfig("eats-memory", sandbox === "off" ? log : "");
			const tool = createTestTool({
				config: { ...fake, maxMemoryMb: 256, sandbox },
				readable: [LSP_FIXTURES],
			});
			closing.push(tool.close);
			const outcome = await callLsp(tool, workspace, definition);
			expect(outcome.text).toMatch(
				/^LSP_SERVER_FAILED: .*it used \d{3} MB of memory, more than lsp\.maxMemoryMb allows, and was ended/,
			);
		},
	);

	it("ignores shutdown and SIGTERM: is killed", async () => {
		const tool = createTool("ignore-shutdown");
		await callLsp(tool, workspace, definition);
		const [pid = 0] = startedServers(log);
		expect(isGone(pid)).toBe(false);
		await tool.close();
		expect(isGone(pid)).toBe(true);
		const told = readFakeLog(log);
		expect(told.map(({ method }) => method)).toContain("shutdown");
		expect(told.some(({ ignored }) => ignored === "SIGTERM")).toBe(true);
	});
});

describe("the life of a server", () => {
	it("is shut down politely and exits by itself", async () => {
		const tool = createTool("well");
		await callLsp(tool, workspace, definition);
		await tool.close();
		const methods = readFakeLog(log).map(({ method }) => method);
		expect(methods.slice(-2)).toEqual(["shutdown", "exit"]);
	});

	it("ends when nobody used it for the idle time, and starts again when asked", async () => {
		const tool = createTool("well", { config: { idleShutdownMs: 50 } });
		await callLsp(tool, workspace, definition);
		const [pid = 0] = startedServers(log);
		await expect.poll(() => isGone(pid), { timeout: 20_000 }).toBe(true);
		expect((await callLsp(tool, workspace, definition)).isError).toBe(false);
		expect(startedServers(log)).toHaveLength(2);
	});

	it("is one for all calls at the same time", async () => {
		const tool = createTool("well");
		const outcomes = await Promise.all(Array.from({ length: 8 }, () => callLsp(tool, workspace, definition)));
		expect(outcomes.every(({ isError }) => !isError)).toBe(true);
		expect(startedServers(log)).toHaveLength(1);
	});

	it("survives a caller who gives up while it starts", async () => {
		const tool = createTool("well");
		const impatient = new AbortController();
		const [given, kept] = [
			callLsp(tool, workspace, definition, impatient.signal),
			callLsp(tool, workspace, definition),
		];
		impatient.abort();
		expect(await given).toMatchObject({ isError: true, details: { cancelled: true } });
		expect(placesOf(await kept)).toEqual(["a.fake:1:8"]);
	});

	it("cancels a request the caller gave up", async () => {
		const tool = createTool("never-answers");
		const impatient = new AbortController();
		const answer = callLsp(tool, workspace, definition, impatient.signal);
		await expect
			.poll(() => readFakeLog(log).map(({ method }) => method))
			.toContain("textDocument/definition");
		impatient.abort();
		expect((await answer).details["cancelled"]).toBe(true);
		await expect.poll(() => readFakeLog(log).map(({ method }) => method)).toContain("$/cancelRequest");
	});

	it("restart stops it and forgets that it failed", async () => {
		const tool = createTool("crash-on-start");
		await callLsp(tool, workspace, definition);
		expect((await callLsp(tool, workspace, { action: "restart", server: "fake" })).isError).toBe(false);
		await callLsp(tool, workspace, definition);
		expect(startedServers(log)).toHaveLength(4);
	});

	it("refuses calls after the tool was closed", async () => {
		const tool = createTool("well");
		await callLsp(tool, workspace, definition);
		await tool.close();
		expect((await callLsp(tool, workspace, definition)).text).toMatch(
			/LSP_CANCELLED: The lsp tool was closed/,
		);
	});
});

describe("an answer from a cold server", () => {
	it("is asked for again until progress has ended and two agree", async () => {
		const outcome = await callLsp(createTool("cold"), workspace, { ...definition, action: "references" });
		expect(placesOf(outcome)).toEqual(["a.fake:1:8", "a.fake:2:5"]);
		expect(outcome.details["complete"]).toBe(true);
	});

	it("is called incomplete when the server never agrees with itself", async () => {
		const tool = createTool("never-settles", { config: { requestTimeoutMs: 500 } });
		const outcome = await callLsp(tool, workspace, { ...definition, action: "references" });
		expect(outcome.details["complete"]).toBe(false);
		expect(outcome.text).toMatch(/\nIncomplete: the server was still loading or changing its answer/);
	});
});
