import { existsSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import {
	APIS,
	type ApiName,
	finalize,
	modelsFile,
	SCRIPTED,
	SCRIPTED_MODEL,
	type ScriptedProvider,
	type ScriptedTurn,
	startScriptedProvider,
} from "../helpers/scripted-provider.ts";
import { createTestHome, listRunDirectories, type TestHome } from "../helpers/test-home.ts";

const { delegate } = (await import("../../dist/index.js" as string)) as typeof import("../../src/index.ts");
type DelegateOptions = import("../../src/index.ts").DelegateOptions;

const FILES = {
	"src/auth.ts": "export function registerAuth() {\n\treturn true;\n}\n",
	"README.md": "# Demo\n",
};

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

async function setUp(
	turns: readonly ScriptedTurn[],
	api: ApiName = "openai-completions",
): Promise<DelegateOptions> {
	home ??= createTestHome(FILES);
	await provider?.close();
	provider = await startScriptedProvider(turns, api);
	home.write(join(home.agentDirectory, "models.json"), modelsFile(provider, api));
	return { cwd: home.project, env: home.env, ...SCRIPTED };
}

describe("a real pi child", () => {
	it.each(Object.keys(APIS) as ApiName[])(
		"reads with tools, hands over its answer and sums usage over three turns (%s)",
		async (api) => {
			const options = await setUp(
				[
					{
						text: "Looking.",
						calls: [{ name: "grep", args: { pattern: "registerAuth" } }],
						usage: { input: 100, output: 10 },
					},
					{ calls: [{ name: "read", args: { path: "src/auth.ts" } }], usage: { input: 200, output: 20 } },
					{ ...finalize("registerAuth is in src/auth.ts:1"), usage: { input: 300, output: 30 } },
				],
				api,
			);
			const result = await delegate({ agent: "explorer", task: "Find registerAuth" }, options);
			expect(result.details.error).toBeUndefined();
			expect(result.isError).toBe(false);
			expect(result.details.results[0]?.output).toBe("registerAuth is in src/auth.ts:1");
			expect(result.content[0].text).toBe(
				`**Status:** SUCCESS\n**Session ID:** \`${result.details.sessionId}\`\n\n---\n\nregisterAuth is in src/auth.ts:1`,
			);
			expect(result.details.finalized).toEqual({
				status: "SUCCESS",
				result: "registerAuth is in src/auth.ts:1",
			});
			expect(result.details.runId).toMatch(/^[0-9a-f]{8}$/);
			expect(provider?.requests().at(-1)).toContain("export function registerAuth()");
			expect(result.details.results[0]?.usage).toMatchObject({ input: 600, output: 60, turns: 3 });
			expect(result.usage).toMatchObject({ input: 600, output: 60, totalTokens: 660 });
			expect(result.usage.cost.total).toBeCloseTo((600 * 1 + 60 * 2) / 1e6, 9);
		},
	);

	it("fails with all its texts as partial output when the child never finalizes: an answer that is above is not lost", async () => {
		const answer = "registerAuth is defined in src/auth.ts:1 and called by nobody.";
		const options = await setUp([
			{ text: "Looking.", calls: [{ name: "grep", args: { pattern: "registerAuth" } }] },
			{ text: answer },
			{ text: "I have already given my answer above." },
			{ text: "As I said, the answer is above." },
		]);
		const result = await delegate({ agent: "explorer", task: "Find registerAuth" }, options);
		expect(result.isError).toBe(true);
		expect(result.details.error?.code).toBe("SUBAGENT_FAILED");
		expect(result.details.error?.message).toContain("subagent_finalize was not called");
		expect(result.details.results[0]?.usage.turns).toBe(4);
		expect(provider?.requests()).toHaveLength(4);
		expect(result.details.results[0]?.output).toMatch(new RegExp(`^${answer.replaceAll(".", "\\.")}`));
		expect(result.content[0].text).toContain("As I said, the answer is above.");
		expect(result.details.error?.message).toContain("also after 2 corrections");
		expect(result.details.error?.message).toContain("subagents.finalize.mode");
		expect(result.content[0].text).toContain(`sessionId "${result.details.sessionId}"`);
		expect(provider?.requests()[2]).toContain("registerAuth is defined in src/auth.ts:1");
		expect(provider?.requests()[2]).toContain("put all of it in result");
	});

	it("pays for no more refused handovers than corrections", async () => {
		const refused = { calls: [{ name: "subagent_finalize", args: { status: "SUCCESS" } }] };
		const options = await setUp([...Array.from({ length: 10 }, () => refused), finalize("too late")]);
		const result = await delegate({ agent: "explorer", task: "Find" }, options);
		expect(result.isError).toBe(true);
		expect(result.details.error?.message).toContain("status SUCCESS needs a non-empty result");
		expect(provider?.requests()).toHaveLength(3);
	});

	it("stops a child that repeats the same failing call", async () => {
		const same = { calls: [{ name: "read", args: { path: "missing.ts" } }] };
		const options = await setUp([...Array.from({ length: 40 }, () => same), finalize("late")]);
		const result = await delegate({ agent: "explorer", task: "Find" }, options);
		expect(result.details.error?.message).toContain("called read 5 times in a row");
		expect(result.details.error?.message).toContain("subagents.maxIdenticalFailures");
		// A busy machine may let a few more pass before the child is gone; without the stop there are dozens.
		expect(provider?.requests().length).toBeLessThanOrEqual(20);
	});

	it("says which tools an agent did not get, marks calls of them, and names the model", async () => {
		const options = await setUp([
			{ text: "Writing.", calls: [{ name: "write", args: { path: "hello.txt", content: "hi" } }] },
			finalize("I wrote hello.txt."),
		]);
		home?.write(
			join(home.agentDirectory, "agents", "writer.md"),
			"---\nname: writer\ndescription: writes\ntools: read, edit, write\n---\nWrite.\n",
		);
		const result = await delegate({ agent: "writer", task: "Write hello.txt" }, options);
		const [single] = result.details.results;
		expect(single?.notGranted).toEqual(["edit", "write"]);
		expect(result.content[0].text).toMatch(/Not granted to writer: edit, write\.$/);
		expect(single?.displayItems).toContainEqual(
			expect.objectContaining({ type: "toolCall", name: "write", isError: true }),
		);
		expect(single?.model).toBe(SCRIPTED_MODEL);
	});

	it("refuses a model that pi does not have before anything is started", async () => {
		const options = await setUp([finalize("never")]);
		const result = await delegate(
			{ agent: "explorer", task: "Find" },
			{ ...options, model: "scripted/modle", host: {} },
		);
		expect(result.details.error).toMatchObject({ code: "INVALID_INPUT" });
		expect(result.details.error?.message).toContain(SCRIPTED_MODEL);
		expect(provider?.requests()).toHaveLength(0);
	});

	it("accepts the last text when the configuration says so", async () => {
		const options = await setUp([{ text: "Plain answer." }]);
		home?.write(
			join(home.agentDirectory, "deputize.json"),
			JSON.stringify({ subagents: { finalize: { mode: "text" } } }),
		);
		const result = await delegate({ agent: "explorer", task: "Say" }, options);
		expect(result.isError).toBe(false);
		expect(result.details.results[0]?.output).toBe("Plain answer.");
	});

	it("sends a child that forgot to finalize back, inside the same process, and tells it what was wrong with its finalization", async () => {
		const options = await setUp([
			{ text: "The answer is 42." },
			{ calls: [{ name: "subagent_finalize", args: { status: "SUCCESS", result: "  " } }] },
			finalize("better"),
		]);
		const result = await delegate({ agent: "explorer", task: "Say" }, options);
		expect(result.isError).toBe(false);
		expect(result.details.results[0]?.output).toBe("better");
		expect(result.details.results[0]?.usage.turns).toBe(3);
		const [, second, third] = provider?.requests() ?? [];
		expect(second).toContain("You have not handed over yet");
		expect(third).toContain("status SUCCESS needs a non-empty result");
	});

	it("never calls a provider failure a success, although pi exits 0, and says why it failed and that no turn was answered", async () => {
		const options = await setUp([{ error: { status: 401, message: "bad key" } }]);
		const result = await delegate({ agent: "explorer", task: "Say" }, options);
		expect(result.isError).toBe(true);
		expect(result.details.error?.code).toBe("SUBAGENT_FAILED");
		expect(result.details.error?.message).toContain("bad key");
		expect(result.details.error?.cause).toEqual({ kind: "unauthorized", status: 401 });
		expect(result.details.results[0]).toMatchObject({
			exitCode: 1,
			usage: { turns: 0 },
			lastEvent: "settled",
		});
	});

	it("counts a provider error that pi recovered from as success, and does not mistake an answer about such errors for one", async () => {
		const answer =
			"The timeout is wrong: rate limit, ECONNRESET and server error are handled in src/auth.ts:1.";
		const options = await setUp([{ error: { status: 503, message: "overloaded" } }, finalize(answer)]);
		const result = await delegate({ agent: "explorer", task: "Say" }, options);
		expect(result.details.error).toBeUndefined();
		expect(result.isError).toBe(false);
		expect(result.details.results[0]?.output).toBe(answer);
	});

	it("resumes a session that remembers the first task, and refuses a second run while it is busy", async () => {
		const first = await delegate(
			{ agent: "explorer", task: "Remember the word marmalade" },
			await setUp([finalize("noted")]),
		);
		const { sessionId } = first.details;
		const file = first.details.results[0]?.sessionFile ?? "";
		expect(file).toContain(`/.pi/subagent-sessions/`);
		expect(file.endsWith(`/explorer_${sessionId}.jsonl`)).toBe(true);
		expect(statSync(file).mode & 0o777).toBe(0o600);
		expect(statSync(dirname(file)).mode & 0o777).toBe(0o700);
		const options = await setUp([{ calls: [{ name: "ls", args: {} }] }, finalize("marmalade")]);
		let inTheMiddle: ReturnType<typeof delegate> | undefined;
		const second = await delegate(
			{ agent: "explorer", task: "Which word?", sessionId },
			{
				...options,
				onUpdate() {
					inTheMiddle ??= delegate({ agent: "explorer", task: "Me too", sessionId }, options);
				},
			},
		);
		expect(second.details.error).toBeUndefined();
		expect(second.details.sessionId).toBe(sessionId);
		const request = provider?.requests()[0] ?? "";
		expect(request).toContain("Remember the word marmalade");
		expect(request).toContain("Which word?");
		const refused = await inTheMiddle;
		expect(refused?.details.error?.code).toBe("SUBAGENT_FAILED");
		expect(refused?.details.error?.message).toContain("busy");
		expect(readFileSync(file, "utf8")).not.toContain("Me too");
		expect(existsSync(`${file}.lock`)).toBe(false);
	});

	it("takes tasks that look like options, files or commands literally, and long ones whole", async () => {
		for (const task of ["@README.md", "-x --help", "/help", `${"long ".repeat(600_000)}end`]) {
			const result = await delegate({ agent: "explorer", task }, await setUp([finalize("ok")]));
			expect(result.details.error).toBeUndefined();
			const request = provider?.requests()[0] ?? "";
			expect(request).not.toContain("# Demo");
			// The provider does not keep bodies of megabytes, but it tells their size.
			const arrived =
				task.length < 1000
					? request.includes(task)
					: Number(/"originalByteSize":(\d+)/.exec(request)?.[1]) > task.length;
			expect(arrived).toBe(true);
		}
	});

	it("shows live updates without secrets in tool arguments", async () => {
		const secret = ["sk", "proj", "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6"].join("-");
		const options = await setUp([
			{ text: "Searching", calls: [{ name: "grep", args: { pattern: secret } }] },
			finalize(`found ${secret}`),
		]);
		const updates: string[] = [];
		const result = await delegate(
			{ agent: "explorer", task: `Find ${secret}` },
			{ ...options, onUpdate: (update) => updates.push(JSON.stringify(update)) },
		);
		expect(updates.length).toBeGreaterThan(0);
		expect(updates.join("")).not.toContain(secret);
		expect(JSON.stringify(result)).not.toContain(secret);
		expect(
			result.details.results[0]?.displayItems?.some(
				(item) => item.type === "toolCall" && item.name === "grep",
			),
		).toBe(true);
	});
});

describe("the tools of a real child", () => {
	const cases = [
		["without a tool list", "", ["read", "grep", "find", "ls"]],
		["that names only write tools", "tools: bash, edit, write\n", []],
		["with an empty list", "tools:\n", []],
		["that is not readonly, while writing is off", "readonly: false\ntools: read, bash\n", ["read"]],
	] as const;
	it.each(cases)("an agent %s never holds a write tool", async (_name, field, expected) => {
		const options = await setUp([
			{
				calls: [
					{ name: "bash", args: { command: "touch stolen" } },
					{ name: "write", args: { path: "stolen", content: "x" } },
				],
			},
			finalize("tried"),
		]);
		home?.write(
			join(home.agentDirectory, "agents", "probe.md"),
			`---\nname: probe\ndescription: d\n${field}---\nProbe.\n`,
		);
		const result = await delegate({ agent: "probe", task: "Write a file" }, options);
		expect(result.details.results[0]?.output).toBe("tried");
		expect(existsSync(join(home?.project ?? "", "stolen"))).toBe(false);
		const request = JSON.parse(provider?.requests()[0] ?? "{}") as {
			tools?: { function?: { name: string } }[];
		};
		const offered = (request.tools ?? []).map((tool) => tool.function?.name ?? "");
		expect(offered).toContain("subagent_finalize");
		for (const tool of ["bash", "edit", "write", "subagent"]) expect(offered).not.toContain(tool);
		for (const tool of expected) expect(offered).toContain(tool);
		if (expected.length === 0) expect(offered).toEqual(["subagent_finalize"]);
	});

	it("include find and grep on a machine without fd, show pictures as pi shows them, and do not read credentials", async () => {
		const options = await setUp([
			{
				calls: [
					{ name: "find", args: { pattern: "*.ts" } },
					{ name: "grep", args: { pattern: "registerAuth" } },
					{ name: "read", args: { path: "pixel.png" } },
					{ name: "read", args: { path: "~/.ssh/id_ed25519" } },
					{ name: "read", args: { path: "/proc/self/environ" } },
					{ name: "grep", args: { pattern: "material", path: "~" } },
					{ name: "grep", args: { pattern: "material", path: "~/.ssh" } },
				],
			},
			finalize("tried"),
		]);
		const pixel =
			"iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR4nGNgYGBgAAAABQABh6FO1AAAAABJRU5ErkJggg==";
		writeFileSync(join(home?.project ?? "", "pixel.png"), Buffer.from(pixel, "base64"));
		home?.write(join(home.home, ".ssh", "id_ed25519"), "private material");
		await delegate(
			{ agent: "explorer", task: "Try everything" },
			{ ...options, env: { ...options.env, PATH: dirname(process.execPath) } },
		);
		const request = provider?.requests().at(-1) ?? "";
		expect(request).toContain("src/auth.ts");
		expect(request).toContain("src/auth.ts:1: export function registerAuth()");
		expect(request).toContain("Read image file [image/png]");
		expect(request).toContain("Current model does not support images");
		expect(request).not.toContain("private material");
		expect(request.match(/FILE_CLOSED/g)).toHaveLength(3);
		expect(request).toContain("No matches found");
	});
});
