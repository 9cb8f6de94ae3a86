import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { runCli } from "../helpers/run-cli.ts";
import { createTestHome, type TestHome } from "../helpers/test-home.ts";

// What somebody else wrote, given to a command as its input.

let home: TestHome;
beforeEach(() => {
	home = createTestHome({ "src/auth.ts": "export function registerAuth() {}\n" });
});
afterEach(() => home.remove());

const run = (args: readonly string[], input = "") =>
	runCli(args, { cwd: home.project, env: home.env, input });

it("exec neither removes a directory nor writes a file that its payload names", async () => {
	const precious = home.write(join(home.home, "precious", "file"), "mine");
	const settings = home.write(join(home.home, ".bashrc"), "alias x=y\n");
	const child = {
		agent: "explorer",
		finalize: { mode: "text", max_corrections: 0 },
		session: { id: "1", file: settings },
		tools: { run_directory: join(precious, "..") },
	};
	const prompt = "Where is registerAuth? $(touch ~/ran)";
	const payload = { model: "navigator", provider: "offline", prompt, tool_subset: ["bash_find"] };
	const { code, stdout } = await run(["exec"], JSON.stringify({ ...payload, child }));
	expect(existsSync(precious)).toBe(true);
	expect(readFileSync(settings, "utf8")).toBe("alias x=y\n");
	expect(stdout).toContain('\\"child\\" is not a field of the payload');
	expect(code).not.toBe(0);
	expect(await run(["exec"], JSON.stringify(payload))).toMatchObject({ code: 0 });
});
