import { afterEach, describe, expect, it } from "vitest";
import { enterView } from "../helpers/enter-view.ts";
import { createPiHome, type PiHome } from "../helpers/pi-door-home.ts";
import type { PiEvent } from "../helpers/pi-door-json.ts";
import { listProcessesOf } from "../helpers/pi-door-processes.ts";
import { type ScriptedProvider, startScriptedProvider } from "../helpers/pi-door-provider.ts";
import { openRpc, type RpcSession } from "../helpers/pi-door-rpc.ts";

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
		expect(String(watched["message"])).toMatch(
			/^deployer \(run [0-9a-f]{8}\): done: Deploy it\.\ndeployer: .*not now/,
		);
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
