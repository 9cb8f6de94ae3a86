import { existsSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { enterView } from "../helpers/enter-view.ts";
import { createPiHome, type PiHome } from "../helpers/pi-door-home.ts";
import type { PiEvent } from "../helpers/pi-door-json.ts";
import { listProcessesOf } from "../helpers/pi-door-processes.ts";
import { type ScriptedProvider, startScriptedProvider } from "../helpers/pi-door-provider.ts";
import { openRpc, type RpcSession } from "../helpers/pi-door-rpc.ts";
import { isLeftOut, PI_VERSIONS } from "../helpers/pi-door-versions.ts";

let provider: ScriptedProvider | undefined;
let home: PiHome | undefined;
let session: RpcSession | undefined;

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

describe("pi's RPC mode", () => {
	it("delegates after a yes over the protocol, and gets reports as notifications", async () => {
		provider = await startScriptedProvider((request) => {
			if (request.isChild) {
				const result = "Deployed.";
				return { calls: [{ name: "subagent_finalize", arguments: { status: "SUCCESS", result } }] };
			}
			return request.turn % 2 === 0
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
		const delegate = async (id: string, response: object): Promise<unknown> => {
			const before = new Set(session?.events);
			const isNew = (type: string) => (event: PiEvent) => event.type === type && !before.has(event);
			send({ id, type: "prompt", message: "go" });
			const question = await waitFor(isNew("extension_ui_request"));
			expect(question).toMatchObject({
				method: "select",
				title: expect.stringContaining("deployer.md"),
				options: ["Not now", "Yes, run it", "No, not in this session"],
			});
			send({ type: "extension_ui_response", id: question["id"], ...response });
			const end = await waitFor(isNew("tool_execution_end"));
			await waitFor(isNew("agent_settled"));
			return end["isError"];
		};
		expect(await delegate("1", { cancelled: true }), "a closed dialog is asked again").toBe(true);
		expect(await delegate("2", { value: "Yes, run it" })).toBe(false);

		send({ id: "3", type: "prompt", message: "/toolkit agents" });
		const report = await waitFor(
			(event) => event.type === "extension_ui_request" && event["method"] === "notify",
		);
		expect(String(report["message"])).toContain("deployer");
		expect(String(report["message"])).toContain("explorer");

		const watched = await session.notified("/toolkit watch");
		// The call that was refused is no run.
		expect(String(watched["message"])).toMatch(/^deployer \(run [0-9a-f]{8}\): done: Deploy it\.$/);
		const answer = await session.notified("/toolkit run deployer Deploy it again.");
		expect(String(answer["message"])).toContain("Deployed.");
		const offer = await waitFor((event) => event["title"] === "deployer has answered");
		send({ type: "extension_ui_response", id: offer["id"], cancelled: true });

		const page = await session.notified("/toolkit view");
		const address = /http:\S+$/.exec(String(page["message"]))?.[0] ?? "";
		const parent = decodeURIComponent(new URL(address).hash.replace("#/by/", ""));
		expect(parent).toMatch(/^pi:[\w-]+$/);
		const ask = await enterView(address);
		const runs = await (await ask(`api/runs?parent=${parent}`)).json();
		expect(runs).toMatchObject({ total: 2, runs: [{ agent: "deployer", state: "done" }, { parent }] });
		expect(session.stray).toEqual([]);
	});
});

const GATE = `export default (pi) => pi.on("tool_call", async (event, context) => {
	if (event.toolName !== "bash") return undefined;
	if (!context.hasUI) return { block: true, reason: "There is nobody to ask." };
	const isAllowed = await context.ui.confirm("Dangerous command", "Let it run?");
	return isAllowed ? undefined : { block: true, reason: "The user said no." };
});
`;

describe.each(PI_VERSIONS)("an extension of the user that asks, in a child of pi $version", (pi) => {
	it.skipIf(isLeftOut(pi))(
		"asks the person in the parent, and what was refused is in the result",
		async () => {
			provider = await startScriptedProvider((request) => {
				if (!request.isChild)
					return request.turn % 2 === 0
						? { calls: [{ name: "subagent", arguments: { agent: "maker", task: "Make it." } }] }
						: { text: "All said." };
				if (request.turn === 0) return { calls: [{ name: "bash", arguments: { command: "touch made" } }] };
				const result = "Made it.";
				return { calls: [{ name: "subagent_finalize", arguments: { status: "SUCCESS", result } }] };
			});
			home = createPiHome(provider.baseUrl, { config: { subagents: { allowWrite: true } } });
			home.write(
				"home/.pi/agent/agents/maker.md",
				"---\nname: maker\ndescription: Make\nreadonly: false\ntools: bash\n---\nYou make.\n",
			);
			session = openRpc(home, { script: pi.script, args: ["-e", home.write("gate.ts", GATE)] });
			const { send, waitFor } = session;
			const make = async (answer: string): Promise<string> => {
				const before = new Set(session?.events);
				const isNew = (type: string) => (event: PiEvent) => event.type === type && !before.has(event);
				send({ type: "prompt", message: "go" });
				const question = await waitFor(isNew("extension_ui_request"));
				expect(question).toMatchObject({
					method: "select",
					title: "maker wants to call bash touch made\nDangerous command\nLet it run?",
					options: ["No, refuse the call", "Yes, let it"],
				});
				send({ type: "extension_ui_response", id: question["id"], value: answer });
				const end = await waitFor(isNew("tool_execution_end"));
				await waitFor(isNew("agent_settled"));
				return JSON.stringify(end);
			};
			const isMade = (): boolean => existsSync(join(home?.project ?? "", "made"));
			expect(await make("No, refuse the call")).toContain(
				"Refused, not done: bash touch made: The user said no.",
			);
			expect(isMade()).toBe(false);
			expect(await make("Yes, let it")).not.toContain("Refused");
			expect(isMade()).toBe(true);
		},
	);
});
