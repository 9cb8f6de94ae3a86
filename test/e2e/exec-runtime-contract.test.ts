import { existsSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import {
	finalize,
	modelsFile,
	SCRIPTED_MODEL,
	type ScriptedProvider,
	type ScriptedTurn,
	startScriptedProvider,
} from "../helpers/scripted-provider.ts";
import { createTestHome, listRunDirectories, type TestHome } from "../helpers/test-home.ts";

const { delegate } = (await import("../../dist/index.js" as string)) as typeof import("../../src/index.ts");
type DelegateOptions = import("../../src/index.ts").DelegateOptions;

/** What differs between the two, and nothing else does. */
const RUNTIMES = {
	pi: {
		read: { name: "read", args: { path: "src/auth.ts" } },
		configure: (home: TestHome, provider: ScriptedProvider): DelegateOptions => {
			home.write(join(home.agentDirectory, "models.json"), modelsFile(provider));
			return { cwd: home.project, env: home.env, model: SCRIPTED_MODEL, runtime: "pi" };
		},
	},
	loop: {
		read: { name: "read", args: { path: "src/auth.ts" } },
		configure: (home: TestHome, provider: ScriptedProvider): DelegateOptions => ({
			cwd: home.project,
			runtime: "loop",
			model: SCRIPTED_MODEL,
			env: {
				...home.env,
				DEPUTIZE_LOOP_URL: `${provider.baseUrl}/chat/completions`,
				DEPUTIZE_LOOP_PRICE: "1,2,0,0",
			},
		}),
	},
} as const;

/** One suite for both: what a caller can rely on, whichever program the child is. */
describe.each(["pi", "loop"] as const)("the runtime contract: %s", (name) => {
	const runtime = RUNTIMES[name];
	let home: TestHome | undefined;
	let provider: ScriptedProvider | undefined;

	afterEach(async () => {
		await provider?.close();
		const left = listRunDirectories(home?.agentDirectory ?? "");
		home?.remove();
		home = undefined;
		provider = undefined;
		expect(left).toEqual([]);
	});

	async function setUp(turns: readonly ScriptedTurn[]): Promise<DelegateOptions> {
		home ??= createTestHome({ "src/auth.ts": "export function registerAuth() {}\n" });
		await provider?.close();
		provider = await startScriptedProvider(turns);
		return runtime.configure(home, provider);
	}
	const request = { agent: "explorer", task: "Find registerAuth" };

	it("uses a tool, hands over, and counts tokens and money over all turns", async () => {
		const options = await setUp([
			{ text: "Looking.", calls: [runtime.read], usage: { input: 100, output: 10 } },
			{ ...finalize("It is in src/auth.ts:1"), usage: { input: 200, output: 20 } },
		]);
		const result = await delegate(request, options);
		expect(result.details.error).toBeUndefined();
		expect(result.isError).toBe(false);
		expect(result.details.finalized).toEqual({ status: "SUCCESS", result: "It is in src/auth.ts:1" });
		expect(result.details.results[0]).toMatchObject({
			agent: "explorer",
			exitCode: 0,
			output: "It is in src/auth.ts:1",
			usage: { input: 300, output: 30, turns: 2 },
		});
		expect(result.usage.cost.total).toBeCloseTo((300 * 1 + 30 * 2) / 1e6, 9);
		expect(result.details.results[0]?.displayItems).toEqual([
			{ type: "text", text: "Looking." },
			{ type: "toolCall", ...runtime.read },
		]);
		expect(provider?.requests().at(-1)).toContain("export function registerAuth()");
	});

	it("keeps the session for its owner, and goes on with it", async () => {
		const first = await delegate(request, await setUp([finalize("first answer")]));
		const file = first.details.results[0]?.sessionFile ?? "";
		expect(existsSync(file)).toBe(true);
		expect(statSync(file).mode & 0o777).toBe(0o600);
		expect(JSON.parse(readFileSync(file, "utf8").split("\n")[0] ?? "")).toMatchObject({
			type: "session",
			cwd: home?.project,
		});
		const sessionId = first.details.sessionId ?? "";
		const second = await delegate(
			{ ...request, task: "And the tests?", sessionId },
			await setUp([finalize("second answer")]),
		);
		expect(second.isError).toBe(false);
		expect(second.details.sessionId).toBe(sessionId);
		const sent = provider?.requests().at(-1) ?? "";
		expect(sent).toContain("Find registerAuth");
		expect(sent).toContain("first answer");
		expect(sent).toContain("And the tests?");
	});

	it("corrects a child that does not hand over, in the same run", async () => {
		const result = await delegate(
			request,
			await setUp([{ text: "It is somewhere." }, finalize("src/auth.ts:1")]),
		);
		expect(result.isError).toBe(false);
		expect(result.details.results[0]?.output).toBe("src/auth.ts:1");
		expect(provider?.requests()).toHaveLength(2);
	});

	it("fails with all its texts when it never hands over", async () => {
		const result = await delegate(
			request,
			await setUp([{ text: "one" }, { text: "two" }, { text: "three" }, { text: "four" }]),
		);
		expect(result.isError).toBe(true);
		expect(result.details.error?.code).toBe("SUBAGENT_FAILED");
		expect(result.details.results[0]?.output).toMatch(/^three\n.*one.*two/s);
		expect(provider?.requests()).toHaveLength(3);
	});

	it("passes on a failure the child reports, with its partial result", async () => {
		const call = {
			name: "subagent_finalize",
			args: { status: "ERROR", error: "no such thing", result: "looked in src" },
		};
		const result = await delegate(request, await setUp([{ calls: [call] }]));
		expect(result.isError).toBe(true);
		expect(result.details.error).toMatchObject({ code: "SUBAGENT_FAILED", message: "no such thing" });
		expect(result.details.finalized).toMatchObject({ status: "ERROR", error: "no such thing" });
	});

	it("keeps text and spending when the provider fails later", async () => {
		const result = await delegate(
			request,
			await setUp([
				{ text: "Looking.", calls: [runtime.read], usage: { input: 100, output: 10 } },
				{ error: { status: 400, message: "the context is too long" } },
			]),
		);
		expect(result.isError).toBe(true);
		expect(result.details.error?.code).toBe("SUBAGENT_FAILED");
		expect(result.details.error?.message).toContain("the context is too long");
		expect(result.details.results[0]).toMatchObject({
			output: "Looking.",
			usage: { input: 100, output: 10 },
		});
	});

	it("answers a tool that was not granted to the model and goes on", async () => {
		const result = await delegate(
			request,
			await setUp([{ calls: [{ name: "bash", args: { command: "id" } }] }, finalize("fine")]),
		);
		expect(result.isError).toBe(false);
		expect(result.details.results[0]?.output).toBe("fine");
	});

	it("ends on cancellation, and says so", async () => {
		const controller = new AbortController();
		const options = await setUp([
			{ text: "Looking.", calls: [runtime.read] },
			{ text: "late", latencyMs: 60_000 },
		]);
		const result = await delegate(request, {
			...options,
			signal: controller.signal,
			onUpdate: ({ details }) => {
				if (details.streaming?.displayItems.length) controller.abort();
			},
		});
		expect(result.details.results[0]).toMatchObject({ exitCode: 130, output: "Looking." });
		expect(result.details.error?.code).toBe("SUBAGENT_FAILED");
	});

	it("ends at the time limit, and says which", async () => {
		const options = await setUp([{ text: "late", latencyMs: 60_000 }]);
		const result = await delegate(request, { ...options, timeoutMs: 4000 });
		expect(result.details.error?.code).toBe("SUBAGENT_TIMEOUT");
		expect(result.details.results[0]).toMatchObject({ exitCode: 124, timeoutReason: "runtime" });
	});

	const writeAgent = (fields: string): void => {
		home ??= createTestHome({ "src/auth.ts": "export function registerAuth() {}\n" });
		const text = `---\nname: bounded\ntools: read\n${fields}---\nYou look.\n`;
		home.write(join(home.agentDirectory, "agents/bounded.md"), text);
	};

	it.each([
		["max_turns: 2\n", "max_turns", 2],
		// A dollar for a million tokens of input.
		["max_cost: 0.0003\n", "max_cost", 2],
	])("ends at its bound (%j) with what it has", async (field, kind, turns) => {
		writeAgent(field);
		const again = { text: "Looking.", calls: [runtime.read], usage: { input: 200, output: 0 } };
		// As a model does, and so that what is stopped does not end by itself meanwhile.
		const options = await setUp([again, again, { ...finalize("never"), latencyMs: 10_000 }]);
		const result = await delegate({ agent: "bounded", task: "Find registerAuth" }, options);
		expect(result.details.error).toMatchObject({ code: "SUBAGENT_LIMIT_REACHED", cause: { kind } });
		expect(result.details.results[0]).toMatchObject({ exitCode: 1, output: "Looking.", usage: { turns } });
		expect(result.content[0].text).toContain("To continue where it stopped");
	});

	it("hands over data, corrected until it matches the schema of the agent", async () => {
		writeAgent("output: schema.json\n");
		const schema = {
			type: "object",
			properties: { file: { type: "string" }, line: { type: "integer", minimum: 1 } },
			required: ["file", "line"],
		};
		home?.write(join(home.agentDirectory, "agents/schema.json"), JSON.stringify(schema));
		const answer = (data: unknown): ScriptedTurn => ({
			calls: [{ name: "subagent_finalize", args: { status: "SUCCESS", data } }],
		});
		const data = { file: "src/auth.ts", line: 1 };
		const options = await setUp([answer({ file: "src/auth.ts", line: 0 }), answer(data)]);
		const result = await delegate({ agent: "bounded", task: "Find registerAuth" }, options);
		expect(result.details.error).toBeUndefined();
		expect(result.details.finalized).toEqual({
			status: "SUCCESS",
			result: JSON.stringify(data, undefined, 2),
			data,
		});
		const [first = "", second = ""] = provider?.requests() ?? [];
		expect(first).toContain('"minimum":1');
		expect(second).toMatch(/line/);
	});
});
