import { chmodSync, existsSync, mkdirSync, readdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { build } from "esbuild";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { CLI, runCli, runProgram } from "../helpers/run-cli.ts";
import { createTestHome, type TestHome } from "../helpers/test-home.ts";

let home: TestHome;
beforeEach(() => {
	home = createTestHome({ "a.js": "export function pay() {}\n" });
});
afterEach(() => home.remove());

const cli = (args: readonly string[], env: Record<string, string> = {}) =>
	runCli(args, { cwd: home.project, env: { ...home.env, ...env } });

describe("a wrong command line", () => {
	it.each([
		[["run", "explorer", "x", "--session"], "--session needs a value, and nothing follows it."],
		[["batch", "x", "-o"], "--output needs a value"],
		[
			["run", "explorer", "x", "--timeout-ms", "-5"],
			"One that begins with a dash is written --timeout-ms=-value.",
		],
		[
			["run", "explorer", "x", "--json=fat"],
			"--json takes no value, or slim: --json or --json=slim, not --json=fat.",
		],
		[["logs", "--json=fat"], "--json takes no value."],
		[["--vresion"], 'there is no option "--vresion". Did you mean --version?'],
		[["batch", "stauts", "out.jsonl"], "Did you mean status?"],
		[["batch", "stauts"], "Did you mean status?"],
		[["watch", "--hlep"], "Did you mean --help?"],
		[["mcp", "install", "claud"], "Did you mean claude?"],
		[["mcp", "instal"], "Did you mean install?"],
		[["agents", "trsut", "x"], "Did you mean trust?"],
		[["completion", "bsh"], "Did you mean bash?"],
		[["setup", "docments"], "Did you mean documents?"],
		[["run", "explorer", "x", "--timeot", "5"], "Did you mean --timeout-ms?"],
	])("%j says what is wrong and what to do", async (args, words) => {
		const { code, stdout, stderr } = await cli(args);
		expect(stderr).toContain(words);
		expect(stdout).toBe("");
		expect(code).toBe(2);
	});
});

describe("a place that cannot be used", () => {
	it.each([
		[["run", "explorer", "x"]],
		[["logs"]],
		[["mcp"]],
		[["mcp", "install", "zed", "--print"]],
		[["view"]],
	])("%j in a directory that was deleted says so, without a stack trace", async (args) => {
		const { code, stdout, stderr } = await inDeletedDirectory(args);
		expect(stderr).toBe(
			"deputize: The current directory was deleted or may not be read (ENOENT). Change to another one and try again.\n",
		);
		expect(stdout).toBe("");
		expect(code).toBe(2);
	});

	it("exec says it in an event", async () => {
		const payload = { model: "navigator", provider: "offline", prompt: "x" };
		const { stdout } = await inDeletedDirectory(["exec"], JSON.stringify(payload));
		expect(stdout).toMatch(/event: error\ndata: .*The current directory was deleted/);
		expect((await inDeletedDirectory(["--version"])).code).toBe(0);
	});

	it("a directory without permission is named, not a program", async () => {
		const closed = join(home.project, "closed");
		mkdirSync(closed);
		chmodSync(closed, 0);
		// Root may enter everything: then the program runs as nobody.
		const asNobody =
			process.getuid?.() === 0 ? ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"] : ["env"];
		const [command = "", ...args] = [
			...asNobody,
			process.execPath,
			CLI,
			"run",
			"explorer",
			"x",
			"--cwd",
			closed,
		];
		const { code, stderr } = await runProgram(command, args, { cwd: "/", env: home.env });
		expect(stderr).toContain(
			`--cwd: the directory "${closed}" may not be read (EACCES); check its permissions or name another.`,
		);
		expect(code).toBe(2);
	});

	it("an empty HOME writes nothing into the project", async () => {
		const env = { HOME: "", PI_CODING_AGENT_DIR: home.agentDirectory };
		const { code, stdout } = await cli(
			["run", "explorer", "where is pay", "--offline", "--runtime", "loop"],
			env,
		);
		expect(stdout).toContain("a.js:1");
		expect(code).toBe(0);
		expect(readdirSync(home.project)).toEqual(["a.js"]);
	});
});

describe("a program that is bundled with deputize in it", () => {
	it("is told to leave it out", async () => {
		const entry = home.write(
			"main.mjs",
			`import { callSubagent, delegate } from "deputize";
const result = await delegate({ agent: "explorer", task: "x" }, { offline: true, runtime: "loop" });
console.log(result.content[0].text);
console.log(await callSubagent({ prompt: "x" }, { provider: "offline", model: "navigator" }));`,
		);
		mkdirSync(join(home.project, "node_modules"));
		symlinkSync(join(import.meta.dirname, "../.."), join(home.project, "node_modules/deputize"));
		const outfile = join(home.project, "out", "bundle.mjs");
		await build({
			entryPoints: [entry],
			outfile,
			bundle: true,
			platform: "node",
			format: "esm",
			logLevel: "silent",
		});
		expect(existsSync(outfile)).toBe(true);
		const { stdout } = await runProgram(process.execPath, [outfile], { cwd: home.project, env: home.env });
		expect(
			stdout.match(
				/A file of deputize is missing: .*loop\.js\. If your program is bundled, leave deputize out/g,
			),
		).toHaveLength(2);
	});
});

function inDeletedDirectory(args: readonly string[], input = "") {
	const directory = join(home.project, "gone");
	mkdirSync(directory);
	const shell = `rmdir ${JSON.stringify(directory)} && exec "$@"`;
	return runProgram("/bin/sh", ["-c", shell, "sh", process.execPath, CLI, ...args], {
		cwd: directory,
		env: home.env,
		input,
	});
}
