import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { needPeer, PEER_MODULES } from "../helpers/lsp-workspace.ts";
import {
	finalize,
	modelsFile,
	SCRIPTED,
	type ScriptedProvider,
	startScriptedProvider,
} from "../helpers/scripted-provider.ts";
import { createTestHome, type TestHome } from "../helpers/test-home.ts";

const { delegate } = (await import("../../dist/index.js" as string)) as typeof import("../../src/index.ts");

const FILES = {
	"tsconfig.json": '{ "compilerOptions": { "types": [], "noEmit": true }, "include": ["src"] }',
	"src/auth.ts": "export function registerAuth(): boolean {\n\treturn true;\n}\n",
	"src/main.ts": 'import { registerAuth } from "./auth";\n\nregisterAuth();\n',
};

let home: TestHome | undefined;
let provider: ScriptedProvider | undefined;

afterEach(async () => {
	await provider?.close();
	home?.remove();
});

/** Lets a real pi child call the tool once and gives back what the model was told. */
async function askInChild(args: Record<string, unknown>, configuration: object = {}): Promise<string> {
	needPeer(".bin/typescript-language-server");
	home = createTestHome(FILES);
	provider = await startScriptedProvider([{ calls: [{ name: "lsp", args }] }, finalize("done")]);
	home.write(join(home.agentDirectory, "models.json"), modelsFile(provider));
	home.write(join(home.agentDirectory, "deputize.json"), JSON.stringify(configuration));
	const env = { ...home.env, PATH: `${join(PEER_MODULES, ".bin")}:${home.env["PATH"]}` };
	const result = await delegate(
		{ agent: "explorer", task: "Find registerAuth" },
		{ cwd: home.project, env, ...SCRIPTED },
	);
	expect(result.details.error).toBeUndefined();
	const last = JSON.parse(provider.requests().at(-1) ?? "{}") as {
		messages: { role: string; content: unknown }[];
	};
	return JSON.stringify(last.messages.filter(({ role }) => role === "tool").map(({ content }) => content));
}

describe("lsp in a real pi child", () => {
	it.each(["rename", "codeAction", "restart"])(
		"refuses %s, whatever the configuration says",
		async (action) => {
			const configuration = {
				lsp: { allowMutatingActions: true },
				subagents: { allowedLspActions: ["definition", action] },
			};
			const told = await askInChild(
				{ action, file: "src/auth.ts", line: 1, column: 17, newName: "x" },
				configuration,
			);
			expect(told).toContain(`${action} is never available in a subagent`);
		},
	);

	it("refuses an action that is not in allowedLspActions", async () => {
		const told = await askInChild(
			{ action: "references", query: "registerAuth" },
			{ subagents: { allowedLspActions: ["definition"] } },
		);
		expect(told).toContain("references is not in the allowed lsp actions. Allowed here: definition.");
	});

	it("answers with a real server, started by the child itself", async () => {
		const told = await askInChild({ action: "references", query: "registerAuth" });
		expect(told).toContain("references of registerAuth: 3 in 2 files");
		expect(told).toContain("src/main.ts (2)");
	});
});
