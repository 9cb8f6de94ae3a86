import { execFile } from "node:child_process";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { CLI } from "../helpers/run-cli.ts";
import { createTestHome, type TestHome } from "../helpers/test-home.ts";

let home: TestHome;
const TASK = '--offline --runtime loop "where is pay"';
const PAYLOAD = { provider: "offline", prompt: "where is pay", tool_subset: ["bash_ripgrep", "bash_read"] };

/** One line of a shell, in which `deputize` is the compiled program. */
function shell(
	script: string,
): Promise<{ readonly code: number; readonly stdout: string; readonly stderr: string }> {
	const lines = `deputize() { "$NODE" "$CLI" "$@"; }\n${script}`;
	return new Promise((resolve) => {
		const env = { ...home.env, NODE: process.execPath, CLI };
		execFile("bash", ["-c", lines], { cwd: home.project, env }, (error, stdout, stderr) =>
			resolve({ code: Number(error?.code ?? 0), stdout, stderr }),
		);
	});
}

beforeAll(async () => {
	home = createTestHome({
		"pay.ts": "export function pay() {}\n",
		"rows.jsonl": '{"task":"where is pay"}\n',
		"payload.json": JSON.stringify(PAYLOAD),
	});
	await shell(`deputize run explorer ${TASK}`);
});
afterAll(() => home.remove());

describe("stdout that cannot be written", () => {
	it.each([
		["run", `deputize run explorer ${TASK}`],
		["run --json", `deputize run explorer --json ${TASK}`],
		["run --stream", `deputize run explorer --stream ${TASK}`],
		["batch", "deputize batch rows.jsonl --agent explorer --offline -o answers.jsonl"],
		["logs", "deputize logs"],
		[
			"show",
			`deputize show "$(deputize logs --json | grep -o '"runId": "[0-9a-f]*' | head -1 | grep -o '[0-9a-f]*$')"`,
		],
		["view --export --json", "deputize view --export run.html --json"],
		["help", "deputize help"],
	])("%s says so, with an exit code", async (_name, command) => {
		const { code, stderr } = await shell(`${command} > /dev/full`);
		expect(stderr).toMatch(
			/^deputize: stdout could not be written \(ENOSPC: no space left on device, write\)\. What ran is kept: .*$/m,
		);
		expect(stderr).not.toMatch(/^\s+at /m);
		expect(code).toBe(1);
	});

	it("exec says so in its line on stderr", async () => {
		const { code, stderr } = await shell("deputize exec < payload.json > /dev/full");
		expect(JSON.parse(stderr.trim().split("\n").at(-1) ?? "")).toMatchObject({
			code: "output_failed",
			message: expect.stringContaining("ENOSPC"),
		});
		expect(code).toBe(1);
	});

	it("mcp says so, and ends", async () => {
		const call = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "ping" });
		const { code, stderr } = await shell(`(echo '${call}'; sleep 1) | deputize mcp > /dev/full`);
		expect(stderr).toMatch(/^deputize mcp: answers cannot be written to stdout \(ENOSPC/m);
		expect(code).toBe(1);
	});

	it.each(["run", "logs"])("%s says that stdout is closed", async (name) => {
		const { stderr } = await shell(`deputize ${name} ${name === "run" ? `explorer ${TASK}` : ""} >&-`);
		expect(stderr).toMatch(/^deputize: stdout is closed, so nothing was printed\. What ran is kept: /m);
	});

	it("is not what somebody has who throws the output away", async () => {
		const { code, stderr } = await shell(`deputize run explorer ${TASK} > /dev/null`);
		expect(stderr).not.toContain("stdout");
		expect(code).toBe(0);
	});

	it("is no error when the reader has seen enough", async () => {
		const { stdout } = await shell(`deputize run explorer --stream ${TASK} | true; echo "\${PIPESTATUS[0]}"`);
		expect(stdout).toBe("0\n");
	});
});
