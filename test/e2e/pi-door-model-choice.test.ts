import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeAll, describe, expect, it } from "vitest";
import { createPiHome, type PiHome } from "../helpers/pi-door-home.ts";
import { listProcessesOf } from "../helpers/pi-door-processes.ts";
import { type ScriptedProvider, startScriptedProvider } from "../helpers/pi-door-provider.ts";
import { openPiTerminal, type PiTerminal } from "../helpers/pi-door-terminal.ts";
import { demandInstalled, isLeftOut, PI_VERSIONS } from "../helpers/pi-door-versions.ts";
import { type ServiceServer, startServiceServer } from "../helpers/service-server.ts";

let server: ServiceServer | undefined;
let provider: ScriptedProvider | undefined;
let home: PiHome | undefined;
let screen: PiTerminal | undefined;

afterEach(async () => {
	await screen?.close();
	await provider?.close();
	await server?.close();
	const left = home ? listProcessesOf(home.root) : [];
	home?.remove();
	expect(left, "processes left behind").toEqual([]);
});

describe.each(PI_VERSIONS)("/toolkit models in pi $version", (pi) => {
	describe.skipIf(isLeftOut(pi))("with real keys", () => {
		beforeAll(() => demandInstalled(pi));

		it("picks a model of a server on this machine by a part of its name, asks it, and takes it back", async () => {
			server = await startServiceServer();
			provider = await startScriptedProvider(() => ({ text: "Hello." }));
			const made = createPiHome(provider.baseUrl);
			home = { ...made, env: { ...made.env, OLLAMA_HOST: `127.0.0.1:${server.port}` } };
			const readAgents = () =>
				JSON.parse(readFileSync(join(made.agentDirectory, "deputize.json"), "utf8")).subagents.agents;
			screen = await openPiTerminal(home, { script: pi.script });
			await screen.waitFor("model-1");
			await screen.submit("/toolkit models");
			await screen.waitFor("Whose model?");
			screen.type("explor");
			await screen.waitFor(/→ explorer/);
			screen.press("Enter");
			await screen.waitFor("Model of explorer");
			screen.type("qwen");
			await screen.waitFor(/→ ollama\/qwen3:8b\s+on this machine/);
			screen.press("Enter");
			await screen.waitFor("Thinking level of explorer");
			screen.type("low");
			await screen.waitFor(/→ low/);
			screen.press("Enter");
			await screen.waitFor("explorer: model ollama/qwen3:8b, thinking low");
			screen.press("q");
			await screen.waitUntilGone("q Esc close");
			expect(readAgents()).toEqual({ explorer: { model: "ollama/qwen3:8b", thinking: "low" } });

			await screen.submit("/toolkit run explorer Where is it?");
			await screen.waitFor("/toolkit give gives its answer");
			expect(screen.read()).toContain("answered by the service");
			expect(server.requests.map(({ model }) => model)).toEqual(["qwen3:8b"]);

			await screen.submit("/toolkit agents");
			await screen.waitFor("m pick a model");
			screen.press("m");
			await screen.waitFor(/explorer\s+model ollama\/qwen3:8b, thinking low/);
			screen.type("explorer");
			await screen.waitFor(/→ explorer/);
			screen.press("Enter");
			await screen.waitFor("Model of explorer");
			screen.type("default");
			await screen.waitFor(/→ default/);
			screen.press("Enter");
			await screen.waitFor("Thinking level of explorer");
			screen.press("Enter");
			await screen.waitFor("explorer: model scripted/model-1");
			expect(readAgents()).toBeUndefined();
		});
	});
});
