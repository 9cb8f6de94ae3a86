import { afterEach, describe, expect, it } from "vitest";
import { createPiHome, type PiHome } from "../helpers/pi-door-home.ts";
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

		const watched = await session.notified("/toolkit watch");
		expect(String(watched["message"])).toMatch(/^deployer \(run [0-9a-f]{8}\): done: Deploy it\.$/);
		const answer = await session.notified("/toolkit run deployer Deploy it again.");
		expect(String(answer["message"])).toContain("Deployed.");
		const offer = await waitFor((event) => event["method"] === "select");
		expect(offer["title"]).toBe("deployer has answered");
		send({ type: "extension_ui_response", id: offer["id"], cancelled: true });
		expect(session.stray).toEqual([]);
	});
});
