import { createServer, type Server } from "node:http";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { delegate } from "../../src/delegation/delegate.ts";
import { probeSandbox } from "../../src/sandbox/probe-sandbox.ts";
import { RUNTIME_ROWS } from "../helpers/runtime-rows.ts";
import { type ScriptedProvider, startScriptedProvider } from "../helpers/scripted-provider.ts";
import { describeSnoop, KEY } from "../helpers/snoop-server.ts";
import { createTestHome, type TestHome } from "../helpers/test-home.ts";

// Review of 0652d9e, "Setup, language servers, converters, Python", 1: a child that nobody lent language servers started
// them beside itself, where they read its key and had its network, and the result said os-sandbox.

const probe = await probeSandbox({ env: process.env });
let home: TestHome;
let provider: ScriptedProvider;
let listener: Server;
let hits = 0;

beforeEach(async () => {
	hits = 0;
	listener = createServer((_request, response) => {
		hits += 1;
		response.end();
	});
	await new Promise<void>((resolve) => listener.listen(0, "127.0.0.1", resolve));
	home = createTestHome({ "a.snoop": "word\n" });
	home.write(
		join(home.agentDirectory, "agents/lspman.md"),
		"---\nname: lspman\ndescription: d\ntools: lsp\n---\nAsk.\n",
	);
});
afterEach(async () => {
	await provider.close();
	listener.close();
	home.remove();
});

async function askServer(runtime: "pi" | "loop", lsp: object) {
	const row = RUNTIME_ROWS[runtime];
	provider = await startScriptedProvider(
		[
			{ calls: [{ name: "lsp", args: { action: "hover", file: "a.snoop", line: 1, column: 1 } }] },
			row.handOver({ status: "SUCCESS", result: "done" }),
		],
		row.api,
	);
	const servers = describeSnoop(home.home, home.write, listener);
	home.write(
		join(home.agentDirectory, "deputize.json"),
		JSON.stringify({ subagents: { sandbox: "required" }, lsp: { ...lsp, servers } }),
	);
	const options = row.configure(home, provider);
	// A variable that a child inherits and a server does not, as with the key of its provider.
	const env = { ...options.env, LC_MONETARY: KEY };
	const result = await delegate({ agent: "lspman", task: "x" }, { ...options, env });
	const { confinement } = result.details.results[0] ?? {};
	return { confinement, answer: provider.requests().at(-1) ?? "" };
}

describe.runIf(probe.works).each(["loop", "pi"] as const)(
	"a server of a %s child in a sandbox",
	(runtime) => {
		it("is its parent's, in a box: it sees neither the child nor the network", async () => {
			const { confinement, answer } = await askServer(runtime, {});
			expect(answer).toContain("I am the server. KEY-HIDDEN");
			expect(confinement).toBe("os-sandbox");
			expect(hits).toBe(0);
		});

		it.each([
			["they are not shared", { shareWithChildren: false }],
			["they are not shared, and boxes are switched off", { shareWithChildren: false, sandbox: "off" }],
		])("does not start beside it when %s", async (_name, lsp) => {
			const { confinement, answer } = await askServer(runtime, lsp);
			expect(answer).not.toContain("KEY-SEEN");
			expect(answer).toMatch(/I am the server\. KEY-HIDDEN|LSP_SERVER_FAILED: .*box/);
			expect(confinement).toBe("os-sandbox");
			expect(hits).toBe(0);
		});

		it("that has no box because its user says so makes the result say tools-only", async () => {
			const { confinement, answer } = await askServer(runtime, { sandbox: "off" });
			expect(answer).toContain("I am the server.");
			expect(confinement).toBe("tools-only");
		});
	},
);
