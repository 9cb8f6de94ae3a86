import { chmodSync, readdirSync, readFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { readIfThere } from "@deputize/ground";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { MODEL_SERVICES } from "../../src/contract/model-services.ts";
import { findExecutable } from "../../src/process/find-executable.ts";
import { runCli, runProgram } from "../helpers/run-cli.ts";
import { SERVED, type ServiceServer, startServiceServer } from "../helpers/service-server.ts";
import { createTestHome, type TestHome } from "../helpers/test-home.ts";

const TASK = ["run", "explorer", "where is x", "--json"];
const FIXTURE = join(import.meta.dirname, "../fixtures/models/run-on-loopback.ts");

/** Every service with every variable of its address, and the gateways without the name of a model. */
const ROWS = [
	...Object.entries(MODEL_SERVICES).flatMap(([service, { addressNames }]) =>
		addressNames.map((variable) => ({
			service,
			variable,
			model: "some/model",
			// pi reads Azure's address itself, and has no such model.
			args: ["--model", `${service}/some/model`, ...(service === "azure" ? ["--runtime", "loop"] : [])],
		})),
	),
	{
		service: "vertex",
		variable: "ANTHROPIC_VERTEX_BASE_URL",
		model: "claude",
		args: ["--model", "vertex/claude"],
	},
	{ service: "openai", variable: "OPENAI_BASE_URL", model: "gpt-5.5", args: [] },
	{ service: "anthropic", variable: "ANTHROPIC_BASE_URL", model: "claude-opus-4-8", args: [] },
];
const bubblewrap = findExecutable("bwrap", process.env);

describe.skipIf(bubblewrap === undefined)("on a machine that has nothing but loopback", () => {
	let home: TestHome;
	let outcome: {
		interfaces: string[];
		runs: { code: number; stdout: string; stderr: string; requests: [string, string][] }[];
	};
	beforeAll(async () => {
		home = createTestHome();
		const gcloud = home.write(join(home.home, "bin/gcloud"), "#!/bin/sh\necho token-of-google-login\n");
		chmodSync(gcloud, 0o755);
		const path = `${join(home.home, "bin")}${delimiter}${home.env["PATH"]}`;
		const cases = ROWS.map(({ service, variable, args }) => ({
			args: [...TASK, ...args],
			cwd: home.project,
			// As people set it up for a local server: a key that is none, so that every program is content.
			env: {
				...home.env,
				[variable]: "http://127.0.0.1:$PORT",
				[MODEL_SERVICES[service]?.keyNames[0] ?? "NO_KEY"]: "local",
				GOOGLE_CLOUD_PROJECT: "p",
				PATH: path,
			},
		}));
		const args = ["--dev-bind", "/", "/", "--unshare-net", "--", process.execPath, FIXTURE];
		const run = await runProgram(bubblewrap ?? "", args, {
			cwd: home.project,
			env: home.env,
			input: JSON.stringify(cases),
		});
		expect(run.stderr).toBe("");
		outcome = JSON.parse(run.stdout);
	}, 300_000);
	afterAll(() => home.remove());

	it("there is no other way out", () => {
		expect(outcome.interfaces).toEqual(["lo"]);
	});

	it.each(
		ROWS.map(
			(row, index) => [`${row.service} by ${row.variable} ${row.args.join(" ")}`, row, index] as const,
		),
	)("%s answers", (_title, { service, model }, index) => {
		const run = outcome.runs[index];
		expect(run?.stderr).not.toMatch(/cannot be reached|no host/);
		expect(run?.requests.map(([, asked]) => asked)).toEqual([model]);
		const [result] = JSON.parse(run?.stdout ?? "").details.results;
		expect(result).toMatchObject({
			exitCode: 0,
			output: "answered by the service",
			model: `${service}/${model}`,
		});
	});
});

describe("a model that somebody chose", () => {
	let home: TestHome;
	let server: ServiceServer;
	let env: Record<string, string>;
	beforeEach(async () => {
		home = createTestHome();
		server = await startServiceServer();
		env = { ...home.env, DEPUTIZE_LOOP_URL: `http://127.0.0.1:${server.port}/v1/chat/completions` };
	});
	afterEach(async () => {
		await server.close();
		home.remove();
	});
	const run = (args: readonly string[], more: Record<string, string> = {}) =>
		runCli(args, { cwd: home.project, env: { ...env, ...more } });
	const asked = () => server.requests.map(({ model }) => model);
	const named = (stdout: string) => JSON.parse(stdout).details.results[0].model;

	it("wins over DEPUTIZE_LOOP_MODEL, and is the one that the result names", async () => {
		const { stdout } = await run([...TASK, "--model", "foo/other"], { DEPUTIZE_LOOP_MODEL: "llama3" });
		expect([asked(), named(stdout)]).toEqual([["foo/other"], "foo/other"]);
	});

	it("is named in the result, also when a variable chose it", async () => {
		const { stdout } = await run(TASK, { DEPUTIZE_LOOP_MODEL: "llama3" });
		expect([asked(), named(stdout)]).toEqual([["llama3"], "llama3"]);
	});

	it("keeps every part of its name, at a base URL as everybody writes it", async () => {
		const base = { DEPUTIZE_LOOP_URL: `http://127.0.0.1:${server.port}/v1` };
		const { stdout } = await run([...TASK, "--model", "hf.co/unsloth/Qwen3-GGUF:Q4"], base);
		expect([asked(), named(stdout)]).toEqual([
			["hf.co/unsloth/Qwen3-GGUF:Q4"],
			"hf.co/unsloth/Qwen3-GGUF:Q4",
		]);
	});

	it("is missing: the run says so instead of blaming credentials or pi", async () => {
		const { code, stdout, stderr } = await run(TASK);
		expect(code).not.toBe(0);
		expect(`${stdout}${stderr}`).toMatch(/DEPUTIZE_LOOP_URL is set but no model is named/);
		expect(`${stdout}${stderr}`).not.toMatch(/credentials|pi was not found/);
	});

	it("is what doctor, the list of agents, models and --dry-run say", async () => {
		const model = { DEPUTIZE_LOOP_MODEL: "llama3" };
		const doctor = await run(["doctor"], model);
		expect(doctor.stdout.replace(/\s+/g, " ")).toContain(
			`llama3 at ${env["DEPUTIZE_LOOP_URL"]} (DEPUTIZE_LOOP_MODEL)`,
		);
		expect(doctor.stdout.replace(/\s+/g, " ")).toMatch(/explorer, [^:]*tester: model llama3/);
		expect(doctor.stdout.replace(/\s+/g, " ")).not.toMatch(/navigator answers|offline\/navigator/);
		const dryRun = JSON.parse((await run([...TASK.slice(0, 3), "--dry-run"], model)).stdout);
		expect(dryRun).toMatchObject({
			model: "llama3",
			modelFrom: "DEPUTIZE_LOOP_MODEL",
			runtimeFrom: "DEPUTIZE_LOOP_URL is set",
			address: env["DEPUTIZE_LOOP_URL"],
		});
		const models = JSON.parse((await run(["models", "--json"], model)).stdout);
		expect(models.default).toMatchObject({ model: { model: "llama3" }, address: env["DEPUTIZE_LOOP_URL"] });
		expect(models.services).toMatchObject([{ service: "custom", models: SERVED }]);
	});
});

describe("a name that is not one of the server's", () => {
	let home: TestHome;
	let server: ServiceServer;
	beforeEach(async () => {
		home = createTestHome();
		server = await startServiceServer(0, undefined, true);
	});
	afterEach(async () => {
		await server.close();
		home.remove();
	});
	const ask = async (model: string) => {
		const base = `http://127.0.0.1:${server.port}`;
		const env = { ...home.env, OLLAMA_BASE_URL: base, LMSTUDIO_BASE_URL: base };
		const { stdout } = await runCli([...TASK, "--model", model], { cwd: home.project, env });
		return {
			result: JSON.parse(stdout).details.results[0],
			asked: server.requests.map(({ model }) => model),
		};
	};

	it.each([
		["near one", "ollama/qwen3:8x", "Did you mean ollama/qwen3:8b?"],
		["part of several", "lmstudio/e", "Did you mean lmstudio/qwen3:8b, lmstudio/publisher/model?"],
		["near none", "lmstudio/zephyr", "What is there: lmstudio/qwen3:8b, lmstudio/publisher/model."],
	])("%s: the error names what there is", async (_what, model, said) => {
		const { result, asked } = await ask(model);
		expect(result.exitCode).toBe(1);
		expect(result.error).toContain(said);
		expect(asked).toEqual([model.replace(/^\w+\//, "")]);
	});

	it("part of one only: that one is asked, and named", async () => {
		const { result, asked } = await ask("lmstudio/Qwen");
		expect(result).toMatchObject({ exitCode: 0, model: "lmstudio/qwen3:8b" });
		expect(asked).toEqual(["qwen3:8b"]);
	});
});

it("a new user with a local server only gets an answer after deputize init, without a flag", async () => {
	const server = await startServiceServer();
	const home = createTestHome();
	try {
		const options = {
			cwd: home.project,
			env: { ...home.env, OLLAMA_HOST: `127.0.0.1:${server.port}`, PATH: "/usr/bin:/bin" },
		};
		const init = await runCli(["init", "--yes"], options);
		expect(init.stdout).toContain("Use qwen3:8b of it (models.ollama)?");
		const file = readFileSync(join(home.agentDirectory, "deputize.json"), "utf8");
		const baseUrl = `http://127.0.0.1:${server.port}/v1`;
		expect(JSON.parse(file)).toEqual({ models: { ollama: { baseUrl, model: "qwen3:8b" } } });
		// Also in a shell that has no such variable.
		const { stdout } = await runCli(TASK, { ...options, env: { ...home.env, PATH: "/usr/bin:/bin" } });
		expect(JSON.parse(stdout).details.results[0]).toMatchObject({ exitCode: 0, model: "ollama/qwen3:8b" });
		const again = await runCli(["init", "--yes"], options);
		expect(again.stdout).not.toContain("of it (models.ollama");
		const listed = await runCli(["models"], options);
		expect(listed.stdout).toContain("ollama/qwen3:8b (default)");
	} finally {
		await server.close();
		home.remove();
	}
});

it("a key that a command prints is sent to the service, and is in nobody's environment", async () => {
	const home = createTestHome();
	const seenIn: string[] = [];
	const server = await startServiceServer(0, () => {
		for (const pid of readdirSync("/proc").filter((name) => /^\d+$/.test(name)))
			if (readIfThere(`/proc/${pid}/environ`)?.includes("printed-by-a-command")) seenIn.push(pid);
	});
	try {
		const work = {
			baseUrl: `http://127.0.0.1:${server.port}/v1`,
			model: "m",
			keyCommand: ["sh", "-c", "echo printed-by-a-command"],
		};
		home.write(join(home.agentDirectory, "deputize.json"), JSON.stringify({ models: { work } }));
		const options = { cwd: home.project, env: home.env };
		const { stdout } = await runCli([...TASK, "--model", "work/m"], options);
		expect(JSON.parse(stdout).details.results[0]).toMatchObject({ exitCode: 0, model: "work/m" });
		expect(server.requests.map(({ headers }) => headers.authorization)).toEqual([
			"Bearer printed-by-a-command",
		]);
		expect(seenIn).toEqual([]);
	} finally {
		await server.close();
		home.remove();
	}
});

it("a program that is logged in is used where there is neither a key nor a login of pi", async () => {
	const home = createTestHome();
	try {
		const bin = join(home.home, "bin");
		chmodSync(home.write(join(bin, "claude"), "#!/bin/sh\n"), 0o755);
		home.write(join(home.home, ".claude/.credentials.json"), '{"claudeAiOauth":{"accessToken":"x"}}');
		const env = { ...home.env, PATH: `${bin}:/usr/bin:/bin` };
		const { stdout } = await runCli([...TASK.slice(0, 3), "--dry-run"], { cwd: home.project, env });
		expect(JSON.parse(stdout)).toMatchObject({ runtimeFrom: "claude is logged in here", model: null });
	} finally {
		home.remove();
	}
});
