import { fork } from "node:child_process";
import { existsSync, readFileSync, rmSync, statSync } from "node:fs";
import { delimiter, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, describe, expect, it } from "vitest";
import { readSurroundings } from "../../src/config/read-surroundings.ts";
import { RUNTIME_NAMES } from "../../src/contract/agent.ts";
import { runEventsFile } from "../../src/journal/open-run-events.ts";
import { AGENT_PROGRAMS } from "../../src/runtimes/agent-programs.ts";
import { inspectProgram } from "../../src/runtimes/program/inspect-program.ts";
import { createRunDirectory } from "../../src/runtimes/run-directory.ts";
import { createViewData } from "../../src/viewer/view-data.ts";
import { goneAfter, runningWith, until } from "../helpers/process-children.ts";
import { PROGRAM_DIRECTORY, RUNTIME_ROWS } from "../helpers/runtime-rows.ts";
import {
	type ScriptedProvider,
	type ScriptedTurn,
	startScriptedProvider,
} from "../helpers/scripted-provider.ts";
import { createTestHome, listRunDirectories, type TestHome } from "../helpers/test-home.ts";

const { delegate } = (await import("../../dist/index.js" as string)) as typeof import("../../src/index.ts");
type DelegateOptions = import("../../src/index.ts").DelegateOptions;

const PARENT = fileURLToPath(new URL("../fixtures/children/delegating-parent.mjs", import.meta.url));

/** One suite for all of them: what a caller can rely on, whichever program the child is. */
describe.each(RUNTIME_NAMES)("the runtime contract: %s", (name) => {
	const row = RUNTIME_ROWS[name];
	const done = (result: string): ScriptedTurn => row.handOver({ status: "SUCCESS", result });
	const request = { agent: "explorer", task: "Find registerAuth" };
	let home: TestHome;
	let provider: ScriptedProvider | undefined;
	let mark = "";

	afterEach(async () => {
		await provider?.close();
		provider = undefined;
		const left = { directories: listRunDirectories(home.agentDirectory), processes: runningWith(mark) };
		home.remove();
		mark = "";
		expect(left).toEqual({ directories: [], processes: [] });
	});

	async function setUp(turns: (home: TestHome) => readonly ScriptedTurn[]): Promise<DelegateOptions> {
		if (mark === "") {
			home = createTestHome({ "src/auth.ts": "export function registerAuth() {}\n" });
			mark = home.project;
		}
		await provider?.close();
		provider = await startScriptedProvider(turns(home), row.api);
		const options = row.configure(home, provider);
		// Every child gets this variable, whatever else it gets.
		return { ...options, env: { ...options.env, NO_COLOR: mark } };
	}

	it("uses a tool, cannot write in any way, hands over, and counts tokens and money over all turns", async () => {
		const options = await setUp((at) => [
			{ text: "Looking.", calls: [row.read(at, "src/auth.ts")], usage: { input: 100, output: 10 } },
			{ calls: row.write(at, "written.txt"), usage: { input: 100, output: 10 } },
			{ ...done("It is in src/auth.ts:1"), usage: { input: 100, output: 10 } },
		]);
		const result = await delegate(request, options);
		expect(result.details.error).toBeUndefined();
		expect(result.isError).toBe(false);
		expect(result.details.finalized).toEqual({ status: "SUCCESS", result: "It is in src/auth.ts:1" });
		expect(result.details.results[0]).toMatchObject({
			agent: "explorer",
			exitCode: 0,
			output: "It is in src/auth.ts:1",
			usage: { input: 300, output: 30 },
		});
		expect(result.details.results[0]?.usage.turns).toBeGreaterThanOrEqual(2);
		if (row.cost === undefined) expect(result.usage.cost.total).toBeGreaterThan(0);
		else expect(result.usage.cost.total).toBeCloseTo(row.cost, 9);
		expect(result.details.results[0]?.model?.split("/")[0]).toBe(row.provider);
		const [text, call] = result.details.results[0]?.displayItems ?? [];
		expect(text).toEqual({ type: "text", text: "Looking." });
		expect(JSON.stringify(call)).toContain("src/auth.ts");
		expect(provider?.requests()).toHaveLength(3);
		expect(provider?.requests().at(-1)).toContain("export function registerAuth()");
		expect(existsSync(join(home.project, "written.txt"))).toBe(false);
		const surroundings = readSurroundings(home.env);
		const [run] = createViewData(surroundings).runs({}).runs;
		const shown = await createViewData(surroundings).run(run?.runId ?? "");
		expect(shown).toMatchObject({ state: "done", runtime: name, usage: { input: 300, output: 30 } });
		expect(shown?.entries.slice(0, 3)).toMatchObject([
			{ kind: "task", text: request.task },
			{ kind: "text", text: "Looking." },
			{ kind: "call", result: expect.stringContaining("export function registerAuth()") },
		]);
		// Three calls at once count as up to three turns where nobody tells.
		if (row.guessesTurns) expect(shown?.turns.length).toBeOneOf([3, 4, 5]);
		else expect(shown?.turns).toHaveLength(3);
		// Without events, as of a task of a batch, the session file tells the same.
		rmSync(runEventsFile(home.agentDirectory, run?.runId ?? ""));
		const again = await createViewData(surroundings).run(run?.runId ?? "");
		expect(again?.entries.slice(0, 3)).toMatchObject([
			{ kind: "task", text: expect.stringContaining(request.task) },
			{ kind: "text", text: "Looking." },
			{ kind: "call", result: expect.stringContaining("export function registerAuth()") },
		]);
		// Neither the agent's own servers nor anything else of the user's was started.
		expect(existsSync(join(home.home, "server-was-started"))).toBe(false);
	});

	it("keeps the session for its owner, and goes on with it", async () => {
		const first = await delegate(
			request,
			await setUp(() => [{ ...done("first answer"), usage: { input: 100, output: 10 } }]),
		);
		const file = first.details.results[0]?.sessionFile ?? "";
		expect(existsSync(file)).toBe(true);
		expect(statSync(file).mode & 0o777).toBe(0o600);
		expect(JSON.parse(readFileSync(file, "utf8").split("\n")[0] ?? "")).toMatchObject({
			type: "session",
			cwd: home.project,
		});
		const sessionId = first.details.sessionId ?? "";
		const second = await delegate(
			{ ...request, task: "And the tests?", sessionId },
			await setUp(() => [{ ...done("second answer"), usage: { input: 50, output: 5 } }]),
		);
		expect(second.isError).toBe(false);
		expect(second.details.sessionId).toBe(sessionId);
		expect(second.details.results[0]?.usage).toMatchObject({ input: 50, output: 5 });
		const sent = provider?.requests().at(-1) ?? "";
		expect(sent).toContain("Find registerAuth");
		expect(sent).toContain("first answer");
		expect(sent).toContain("And the tests?");
	});

	it("corrects a child that does not hand over, in the same run", async () => {
		const result = await delegate(
			request,
			await setUp(() => [{ text: "It is somewhere." }, done("src/auth.ts:1")]),
		);
		expect(result.isError).toBe(false);
		expect(result.details.results[0]?.output).toBe("src/auth.ts:1");
		expect(provider?.requests()).toHaveLength(2);
	});

	it("fails with all its texts when it never hands over", async () => {
		const result = await delegate(
			request,
			await setUp(() => [{ text: "one" }, { text: "two" }, { text: "three" }, { text: "four" }]),
		);
		expect(result.isError).toBe(true);
		expect(result.details.error).toMatchObject({
			code: "SUBAGENT_FAILED",
			cause: { kind: "not_finalized" },
		});
		expect(result.details.results[0]?.output).toMatch(/^three\n.*one.*two/s);
	});

	it("passes on a failure the child reports, with its partial result", async () => {
		const result = await delegate(
			request,
			await setUp(() => [row.handOver({ status: "ERROR", error: "no such thing", result: "looked in src" })]),
		);
		expect(result.isError).toBe(true);
		expect(result.details.error).toEqual({
			code: "SUBAGENT_FAILED",
			message: "no such thing",
			cause: { kind: "reported" },
		});
		expect(result.details.finalized).toEqual({
			status: "ERROR",
			error: "no such thing",
			result: "looked in src",
		});
		expect(result.details.results[0]).toMatchObject({ output: "looked in src", exitCode: 1 });
		expect(result.content[0].text).toContain(`sessionId "${result.details.sessionId}"`);
	});

	it("keeps text and spending when the provider fails later", async () => {
		const result = await delegate(
			request,
			await setUp((at) => [
				{ text: "Looking.", calls: [row.read(at, "src/auth.ts")], usage: { input: 100, output: 10 } },
				{ error: { status: 400, message: "the context is too long" } },
				{ error: { status: 400, message: "the context is too long" } },
				{ error: { status: 400, message: "the context is too long" } },
			]),
		);
		expect(result.isError).toBe(true);
		expect(result.details.error?.code).toBe("SUBAGENT_FAILED");
		expect(result.details.error?.message).toContain("the context is too long");
		expect(result.details.results[0]).toMatchObject({
			output: "Looking.",
			usage: row.tellsSpendingLast ? { turns: 1 } : { input: 100, output: 10 },
		});
	});

	it("says at once that the login does not work", async () => {
		const refused = { error: { status: 401, message: "invalid key" } };
		const result = await delegate(
			request,
			await setUp(() => [refused, refused, refused, refused, refused, refused]),
		);
		expect(result.details.error).toMatchObject({
			code: "SUBAGENT_FAILED",
			cause: { kind: "unauthorized", status: 401 },
		});
		expect(provider?.requests().length).toBeLessThanOrEqual(2);
	});

	it("goes on after a provider was too busy", async () => {
		const result = await delegate(
			request,
			await setUp(() => [{ error: { status: 429, message: "too many requests" } }, done("fine")]),
		);
		expect(result.details.error).toBeUndefined();
		expect(result.details.results[0]?.output).toBe("fine");
	});

	it("ends on cancellation, and says so", async () => {
		const controller = new AbortController();
		const options = await setUp((at) => [
			{ text: "Looking.", calls: [row.read(at, "src/auth.ts")] },
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

	it("ends a child whose model says nothing, and says which limit it was", async () => {
		const options = await setUp(() => [{ text: "late", latencyMs: 60_000 }]);
		const result = await delegate(request, { ...options, idleTimeoutMs: 1200 });
		expect(result.details.error?.code).toBe("SUBAGENT_TIMEOUT");
		expect(result.details.results[0]).toMatchObject({ exitCode: 124, timeoutReason: "idle" });
	});

	it("reports a child that was killed", async () => {
		const options = await setUp(() => [{ text: "late", latencyMs: 60_000 }]);
		const running = delegate(request, options);
		expect(await until(() => provider?.asked() === 1, 60_000)).toBe(true);
		for (const pid of runningWith(mark)) process.kill(pid, "SIGKILL");
		const result = await running;
		expect(result.details.error).toMatchObject({ code: "SUBAGENT_FAILED", cause: { kind: "crashed" } });
	});

	it("leaves nothing running when the parent is killed", async () => {
		const { signal: _, ...options } = await setUp(() => [{ text: "late", latencyMs: 60_000 }]);
		const parent = fork(PARENT, [JSON.stringify({ request, options })]);
		expect(await until(() => provider?.asked() === 1, 60_000)).toBe(true);
		expect(runningWith(mark)).not.toEqual([]);
		expect(await goneAfter(mark, () => parent.kill("SIGKILL"), 20_000)).toBe(true);
		// The next run removes the files of one that was killed.
		createRunDirectory(home.agentDirectory).remove();
	});

	it("gives a model the beginning and the end of a long answer, and the rest in a file that the next child reads", async () => {
		const line = `${"x".repeat(99)}\n`;
		const answer = `It begins here.\n${line.repeat(300)}It ends here.`;
		const result = await delegate(request, await setUp(() => [done(answer)]));
		expect(result.isError).toBe(false);
		expect(result.details.error?.code).toBe("SUBAGENT_OUTPUT_TRUNCATED");
		const [{ text }] = result.content;
		expect(Buffer.byteLength(text)).toBeLessThanOrEqual(24_000);
		expect(Buffer.byteLength(text)).toBeGreaterThan(20_000);
		expect(text).toMatch(/\n\nIt begins here\.\n[\s\S]*It ends here\.$/);
		const { output, outputFile = "" } = result.details.results[0] ?? {};
		expect(output).toBe(answer);
		expect(text).toContain(`The whole is in ${outputFile}:`);
		expect(readFileSync(outputFile, "utf8")).toBe(answer);
		expect(statSync(outputFile).mode & 0o777).toBe(0o600);
		const next = await delegate(
			request,
			await setUp((at) => [{ calls: [row.read(at, relative(at.project, outputFile))] }, done("read")]),
		);
		expect(next.isError).toBe(false);
		expect(provider?.requests().at(-1)).toContain("It begins here.");
	});

	const writeAgent = (at: TestHome, fields: string): void => {
		const text = `---\nname: bounded\ntools: read\n${fields}---\nYou look.\n`;
		at.write(join(at.agentDirectory, "agents/bounded.md"), text);
	};

	it.each([
		["max_turns: 2\n", "max_turns"],
		// A little more than the first turn. Codex never tells what it costs.
		...(row.turnCost === undefined ? [] : [[`max_cost: ${1.5 * row.turnCost}\n`, "max_cost"]]),
	])("ends at its bound (%j) with what it has", async (field = "", kind = "") => {
		const options = await setUp((at) => {
			const again = {
				text: "Looking.",
				calls: [row.read(at, "src/auth.ts")],
				usage: { input: 200, output: 0 },
			};
			// As a model does, and so that what is stopped does not end by itself meanwhile. The programs of others tell of a
			// turn when its answer begins.
			const latencyMs = name === "pi" || name === "loop" ? 10_000 : 0;
			return [again, again, { ...again, latencyMs }, done("never")];
		});
		writeAgent(home, field);
		const result = await delegate({ agent: "bounded", task: "Find registerAuth" }, options);
		expect(result.details.error).toMatchObject({ code: "SUBAGENT_LIMIT_REACHED", cause: { kind } });
		expect(result.details.results[0]).toMatchObject({ exitCode: 1, output: "Looking." });
		// The programs of others have asked again before they tell of it.
		if (kind === "max_turns" && (name === "pi" || name === "loop")) expect(provider?.asked()).toBe(2);
	});

	it("hands over data, corrected until it matches the schema of the agent", async () => {
		const schema = {
			type: "object",
			properties: { file: { type: "string" }, line: { type: "integer", minimum: 1 } },
			required: ["file", "line"],
		};
		const data = { file: "src/auth.ts", line: 1 };
		const answer = (line: number): ScriptedTurn =>
			row.handOver({ status: "SUCCESS", data: { ...data, line } });
		const options = await setUp(() => [answer(0), answer(1)]);
		writeAgent(home, "output: schema.json\n");
		home.write(join(home.agentDirectory, "agents/schema.json"), JSON.stringify(schema));
		const result = await delegate({ agent: "bounded", task: "Find registerAuth" }, options);
		expect(result.details.error).toBeUndefined();
		expect(result.details.finalized).toEqual({
			status: "SUCCESS",
			result: JSON.stringify(data, undefined, 2),
			data,
		});
		const [first = "", second = ""] = provider?.requests() ?? [];
		expect(first).toMatch(/minimum\W+1/);
		expect(second).toMatch(/line/);
	});
});

describe.each(Object.values(AGENT_PROGRAMS))("the program $name", (program) => {
	it("is installed here in the version that doctor calls tested, with every option that a child needs", async () => {
		const { dependencies } = JSON.parse(
			readFileSync(new URL("../peers/agents/package.json", import.meta.url), "utf8"),
		);
		expect(dependencies[program.packageName]).toBe(program.tested.version);
		const home = createTestHome();
		try {
			const env = { ...home.env, PATH: [PROGRAM_DIRECTORY, home.env["PATH"]].join(delimiter) };
			expect(await inspectProgram(program, { env, home: home.home, cwd: home.project })).toMatchObject({
				version: program.tested.version,
				isNewer: false,
				missingOptions: [],
				isLoggedIn: false,
			});
		} finally {
			home.remove();
		}
	});
});
