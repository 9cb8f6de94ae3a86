import { join } from "node:path";
import { afterEach, expect, it } from "vitest";
import { RUNTIME_ROWS } from "../helpers/runtime-rows.ts";
import { type ScriptedProvider, startScriptedProvider } from "../helpers/scripted-provider.ts";
import { createTestHome, type TestHome } from "../helpers/test-home.ts";

const { delegate } = (await import("../../dist/index.js" as string)) as typeof import("../../src/index.ts");

// Attacks on 0652d9e, 09: no command of a Codex child ran for somebody who is logged in.

const row = RUNTIME_ROWS.codex;
const TOKEN = "LOGIN-OF-THE-USER";
let home: TestHome;
let provider: ScriptedProvider | undefined;
afterEach(async () => {
	await provider?.close();
	home.remove();
});

it("a Codex child of somebody who is logged in runs commands, and none of them shows the login", async () => {
	home = createTestHome({ "src/auth.ts": "export function registerAuth() {}\n" });
	const login = { OPENAI_API_KEY: TOKEN, tokens: null, last_refresh: null };
	const real = home.write(join(home.home, ".codex", "auth.json"), JSON.stringify(login));
	const runs = join(home.agentDirectory, "deputize", "runs");
	const shell = (cmd: string) => ({ name: "exec_command", args: { cmd } });
	provider = await startScriptedProvider(
		[
			{ calls: [row.read(home, "src/auth.ts")] },
			{ calls: [shell(`cat ${real}; cat ${runs}/*/home/auth.json; echo looked`)] },
			row.handOver({ status: "SUCCESS", result: "done" }),
		],
		row.api,
	);
	const result = await delegate({ agent: "explorer", task: "Look" }, row.configure(home, provider));
	expect(result.details.error).toBeUndefined();
	const said = provider.requests();
	expect(said[1]).toContain("export function registerAuth()");
	expect(said[2]).toContain("looked");
	expect(said.join("\n")).not.toContain(TOKEN);
});
