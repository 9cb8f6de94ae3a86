import { spawn } from "node:child_process";
import { once } from "node:events";
import { afterEach, describe, expect, it } from "vitest";
import { createPiHome, EXTENSION, MODEL, PI_SCRIPT, type PiHome } from "../helpers/pi-door-home.ts";
import type { PiEvent } from "../helpers/pi-door-json.ts";
import { listProcessesOf } from "../helpers/pi-door-processes.ts";
import { type ScriptedProvider, startScriptedProvider } from "../helpers/pi-door-provider.ts";

let provider: ScriptedProvider | undefined;
let home: PiHome | undefined;
let session: ReturnType<typeof openRpc> | undefined;

afterEach(async () => {
	await session?.close();
	await provider?.close();
	const left = home ? listProcessesOf(home.root) : [];
	home?.remove();
	session = undefined;
	provider = undefined;
	home = undefined;
	expect(left, "processes left behind").toEqual([]);
});

/** `pi --mode rpc`: commands in, events out, one JSON object per line each. */
function openRpc(place: PiHome) {
	const child = spawn(process.execPath, [PI_SCRIPT, "--mode", "rpc", "--model", MODEL, "-e", EXTENSION], {
		cwd: place.project,
		env: place.env,
		stdio: ["pipe", "pipe", "ignore"],
	});
	const events: PiEvent[] = [];
	const stray: string[] = [];
	const waiting: { matches: (event: PiEvent) => boolean; resolve: (event: PiEvent) => void }[] = [];
	let rest = "";
	child.stdout.setEncoding("utf8").on("data", (chunk: string) => {
		const lines = (rest + chunk).split("\n");
		rest = lines.pop() ?? "";
		for (const line of lines) {
			let event: PiEvent;
			try {
				event = JSON.parse(line) as PiEvent;
			} catch {
				stray.push(line);
				continue;
			}
			events.push(event);
			for (const waiter of waiting.filter(({ matches }) => matches(event))) waiter.resolve(event);
		}
	});
	return {
		events,
		stray,
		send: (command: object) => void child.stdin.write(`${JSON.stringify(command)}\n`),
		waitFor: (matches: (event: PiEvent) => boolean): Promise<PiEvent> =>
			new Promise((resolve) => {
				const known = events.find(matches);
				if (known) resolve(known);
				else waiting.push({ matches, resolve });
			}),
		async close() {
			if (child.exitCode !== null) return;
			child.stdin.end();
			await once(child, "exit");
		},
	};
}

describe("pi's RPC mode", () => {
	it("delegates after a confirmation over the protocol, and gets reports as notifications", async () => {
		provider = await startScriptedProvider((request) => {
			if (request.isChild) {
				const result = "Deployed.";
				return { calls: [{ name: "subagent_finalize", arguments: { status: "SUCCESS", result } }] };
			}
			return request.turn === 0
				? { calls: [{ name: "subagent", arguments: { agent: "deployer", task: "Deploy it." } }] }
				: { text: "All said." };
		});
		home = createPiHome(provider.baseUrl);
		home.write(
			"project/.pi/agents/deployer.md",
			"---\nname: deployer\ndescription: Deploy\ntools: read\n---\nYou deploy.\n",
		);
		session = openRpc(home);
		const { send, waitFor } = session;
		send({ id: "1", type: "prompt", message: "go" });
		const question = await waitFor(
			(event) => event.type === "extension_ui_request" && event["method"] === "confirm",
		);
		expect(JSON.stringify(question)).toContain("deployer.md");
		send({ type: "extension_ui_response", id: question["id"], confirmed: true });
		const end = await waitFor((event) => event.type === "tool_execution_end");
		expect(end["isError"]).toBe(false);
		await waitFor((event) => event.type === "agent_settled");

		send({ id: "2", type: "prompt", message: "/toolkit agents" });
		const report = await waitFor(
			(event) => event.type === "extension_ui_request" && event["method"] === "notify",
		);
		expect(String(report["message"])).toContain("deployer");
		expect(String(report["message"])).toContain("explorer");
		expect(session.stray).toEqual([]);
	});
});
