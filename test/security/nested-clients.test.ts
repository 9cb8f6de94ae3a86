import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { afterEach, expect, it } from "vitest";
import { CLI } from "../helpers/run-cli.ts";
import { RUNTIME_ROWS } from "../helpers/runtime-rows.ts";
import {
	type ScriptedProvider,
	type ScriptedTurn,
	startScriptedProvider,
} from "../helpers/scripted-provider.ts";
import { createTestHome, type TestHome } from "../helpers/test-home.ts";

const { delegate } = (await import("../../dist/index.js" as string)) as typeof import("../../src/index.ts");

// A child that is another agent is itself a client that could delegate: over the MCP servers of its user and of the
// project, and, where it has a shell, by the command line.

let home: TestHome;
let provider: ScriptedProvider | undefined;
afterEach(async () => {
	await provider?.close();
	home.remove();
});

type Call = NonNullable<ScriptedTurn["calls"]>[number];
const shell = (cmd: string): Call => ({ name: "exec_command", args: { cmd } });
const DEPUTIZE = `'${process.execPath}' '${CLI}'`;
const INITIALIZE =
	'{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"subagent","arguments":{"agent":"explorer","task":"Where is registerAuth?"}}}';
const PAYLOAD =
	'{"model":"navigator","provider":"offline","prompt":"Where is registerAuth?","tool_subset":["bash_find"]}';

const CALLS = {
	claude: [
		{ name: "mcp__deputize__subagent", args: { agent: "explorer", task: "Where is registerAuth?" } },
		{ name: "Task", args: { description: "x", prompt: "x", subagent_type: "general-purpose" } },
		{ name: "Bash", args: { command: `${DEPUTIZE} run explorer 'Where is registerAuth?' --offline` } },
	],
	codex: [
		{ name: "mcp__deputize__subagent", args: { agent: "explorer", task: "Where is registerAuth?" } },
		shell(`${DEPUTIZE} run explorer 'Where is registerAuth?' --offline; echo "rc $?"`),
		shell(`echo '${INITIALIZE}' | ${DEPUTIZE} mcp --offline; echo "rc $?"`),
		shell(`echo '${PAYLOAD}' | ${DEPUTIZE} exec; echo "rc $?"`),
		shell(`env -i HOME="$HOME" ${DEPUTIZE} run explorer 'Where is registerAuth?' --offline; echo "rc $?"`),
	],
} as const;

it.each(["claude", "codex"] as const)(
	"a child of %s delegates nothing further",
	async (name) => {
		const row = RUNTIME_ROWS[name];
		home = createTestHome({ "src/auth.ts": "export function registerAuth() {}\n" });
		const started = join(home.home, "server-was-started");
		const server = { command: "touch", args: [started] };
		home.write(".mcp.json", JSON.stringify({ mcpServers: { deputize: server } }));
		home.write(join(home.home, ".claude.json"), JSON.stringify({ mcpServers: { deputize: server } }));
		home.write(".codex/config.toml", `[mcp_servers.deputize]\ncommand = "touch"\nargs = ["${started}"]\n`);
		const calls: readonly Call[] = CALLS[name];
		provider = await startScriptedProvider(
			[...calls.map((call) => ({ calls: [call] })), row.handOver({ status: "SUCCESS", result: "done" })],
			row.api,
		);
		const result = await delegate({ agent: "explorer", task: "Look" }, row.configure(home, provider));
		expect(result.details.error).toBeUndefined();
		const said = provider.requests().at(-1) ?? "";
		expect(existsSync(started)).toBe(false);
		expect(said).not.toContain("offline navigator");
		expect(said.match(/SUBAGENT_DEPTH_EXCEEDED|depth_exceeded|inside a child/g) ?? []).toHaveLength(
			name === "codex" ? 3 : 0,
		);
		// With an empty environment it does not know where it is; nothing can be written there.
		expect(said.includes("can be written to. Set HOME or TMPDIR")).toBe(name === "codex");
		expect(readdirSync(home.project)).toEqual([".codex", ".mcp.json", "src"]);
	},
	90_000,
);
