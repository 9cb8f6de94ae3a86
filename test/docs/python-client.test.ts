import { chmodSync, existsSync, readFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { responsesText, startScriptedServer, writeSse } from "../helpers/loop-server.ts";
import { CLI, runProgram } from "../helpers/run-cli.ts";
import { createTestHome, type TestHome } from "../helpers/test-home.ts";

const PYTHON = "/usr/bin/python3";
const readme = readFileSync(join(import.meta.dirname, "../../README.md"), "utf8");
const client = /^```python\n([\s\S]*?)^```$/m.exec(readme)?.[1] ?? "";

let home: TestHome;
beforeEach(() => {
	home = createTestHome({ "src/routes.js": "export function registerRoutes(app) {}\n" });
	const file = join(home.home, "bin/deputize");
	chmodSync(home.write(file, `#!/bin/sh\nexec "${process.execPath}" "${CLI}" "$@"\n`), 0o755);
});
afterEach(() => home.remove());

/** Nothing but the standard library: `-I` leaves out what the user installed. */
const run = (code: string) =>
	runProgram(PYTHON, ["-I", "-c", code], {
		cwd: home.project,
		env: { ...home.env, MY_KEY: "k", PATH: [join(home.home, "bin"), home.env["PATH"]].join(delimiter) },
	});

describe.skipIf(!existsSync(PYTHON))("the Python client of the README", () => {
	it("has ten lines at most and prints an answer", async () => {
		expect(client.split("\n").filter((line) => line !== "").length).toBeLessThanOrEqual(10);
		const { code, stdout, stderr } = await run(client);
		expect(stderr).toBe("");
		expect(stdout).toContain("src/routes.js:1");
		expect(code).toBe(0);
	});

	it("gives a failure as a string", async () => {
		const { stdout } = await run(`${client}print(call_subagent("x", tool_subset=["nonsense"]))`);
		expect(stdout.trim().split("\n").at(-1)).toMatch(/^Error: .*nonsense/);
	});

	it("asks a model of yours", async () => {
		const server = await startScriptedServer((response) => writeSse(response, responsesText("Hello Zoë")));
		const model = `provider="openai-responses", model="m", url="${server.url}/v1/responses", api_key_name="MY_KEY"`;
		const { stdout } = await run(`${client}print(call_subagent("hi", ${model}))`);
		expect(stdout.trim().split("\n").at(-1)).toBe("Hello Zoë");
		expect(server.requests[0]?.headers.authorization).toBe("Bearer k");
		await server.close();
	});
});
