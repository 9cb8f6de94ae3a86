import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { probeSandbox } from "../../src/sandbox/probe-sandbox.ts";
import { createPiHome, type PiHome } from "../helpers/pi-door-home.ts";
import type { PiEvent } from "../helpers/pi-door-json.ts";
import { listProcessesOf } from "../helpers/pi-door-processes.ts";
import { type ScriptedProvider, startScriptedProvider } from "../helpers/pi-door-provider.ts";
import { openRpc, type RpcSession } from "../helpers/pi-door-rpc.ts";

const probe = await probeSandbox({ env: process.env });
let provider: ScriptedProvider | undefined;
let home: PiHome | undefined;
let session: RpcSession | undefined;

afterEach(async () => {
	await session?.close();
	await provider?.close();
	const left = home ? listProcessesOf(home.root) : [];
	home?.remove();
	expect(left, "processes left behind").toEqual([]);
});

const GATE = `export default (pi) => {
	pi.on("tool_call", (event) =>
		event.toolName === "bash" && event.input.command.includes("rm -rf") ? { block: true, reason: "Not by my gate." } : undefined);
};
`;

describe.skipIf(!probe.works)("changes inside pi", () => {
	it("are asked about, applied after a yes, listed and taken back; the user's gate holds in the child", async () => {
		const turns = [
			{ calls: [{ name: "bash", arguments: { command: "rm -rf kept" } }] },
			{ calls: [{ name: "bash", arguments: { command: "ls kept && echo new > made.txt" } }] },
			{ calls: [{ name: "subagent_finalize", arguments: { status: "SUCCESS", result: "Cleaned up." } }] },
		];
		provider = await startScriptedProvider((request) => {
			if (request.isChild) return turns[request.turn] ?? { text: "?" };
			return request.turn === 0
				? { calls: [{ name: "subagent", arguments: { agent: "fixer", task: "Clean up." } }] }
				: { text: "All said." };
		});
		home = createPiHome(provider.baseUrl, { config: { subagents: { writers: ["fixer"] } } });
		const { project } = home;
		home.write("project/kept/file.txt", "kept\n");
		home.write("home/.pi/agent/extensions/gate.ts", GATE);
		execFileSync("git", ["init", "-q"], { cwd: project });
		session = openRpc(home);
		const { send, waitFor, notified } = session;
		send({ id: "1", type: "prompt", message: "go" });
		const isQuestion = (event: PiEvent): boolean =>
			event.type === "extension_ui_request" && event["method"] === "select";
		const question = await waitFor(isQuestion);
		expect(existsSync(join(project, "made.txt")), "before anybody said yes").toBe(false);
		expect(question).toMatchObject({
			title: expect.stringContaining("1 file +1 −0, not applied yet"),
			options: ["Keep them for later", "Look at the diff", "Apply 1 file", "Drop them"],
		});
		send({ type: "extension_ui_response", id: question["id"], value: "Apply 1 file" });
		const end = JSON.stringify(await waitFor((event) => event.type === "tool_execution_end"));
		await waitFor((event) => event.type === "agent_settled");
		expect(end).toContain("applied to the project");
		expect(end).toContain("1 call of tools that change something was refused.");
		expect(readFileSync(join(project, "made.txt"), "utf8")).toBe("new\n");
		expect(readFileSync(join(project, "kept/file.txt"), "utf8")).toBe("kept\n");
		const listed = String((await notified("/toolkit changes"))["message"]);
		const id = /\b[0-9a-f]{8}\b/.exec(listed)?.[0] ?? "";
		expect(listed).toContain("A made.txt +1 −0 (applied)");
		expect(String((await notified(`/toolkit changes undo ${id}`))["message"])).toContain(`Took back ${id}`);
		expect(existsSync(join(project, "made.txt"))).toBe(false);
		expect(String((await notified("/toolkit changes apply 00000000"))["message"])).toContain(
			"no change 00000000",
		);
	});
});
