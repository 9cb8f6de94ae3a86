import { mkdirSync, symlinkSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { LIMITS } from "../../src/contract/limits.ts";
import { runCommand } from "../../src/process/run-command.ts";
import { startProcess } from "../../src/process/start-process.ts";
import { listOpenSockets, parseSocketPaths } from "../../src/sandbox/list-open-sockets.ts";
import { probeSandbox } from "../../src/sandbox/probe-sandbox.ts";
import type { SandboxProbe } from "../../src/sandbox/sandbox-probe.ts";
import { confine } from "../helpers/confine.ts";
import { createTestHome, type TestHome } from "../helpers/test-home.ts";

let probe: SandboxProbe;
let home: TestHome;
beforeAll(async () => {
	probe = await probeSandbox({ env: process.env });
	if (!probe.works && process.env["CI"] === "true")
		throw new Error(`These tests need bubblewrap: ${probe.reason}`);
});
beforeEach(() => {
	home = createTestHome();
	mkdirSync(join(home.home, "session"));
});
afterEach(() => home.remove());

async function runConfined(script: string, closedSockets: readonly string[] = []) {
	const ending = await runCommand({
		...confine(
			probe,
			{ command: process.execPath, args: ["-e", script] },
			{
				cwd: home.project,
				writable: [join(home.home, "session")],
				forgetful: [home.agentDirectory],
				closedSockets,
			},
		),
		cwd: home.project,
		env: home.env,
		timeoutMs: 30_000,
		maxStdoutBytes: 100_000,
	});
	return `${ending.stdout.toString("utf8")}${ending.stderr}`.trim();
}

/** Writes 64 MB to a place and says how much of it was taken. */
const fill = (path: string): string => `
const fs = require("node:fs"); const block = Buffer.alloc(1024 * 1024, 1); let megabytes = 0;
try { const file = fs.openSync(${JSON.stringify(path)}, "w"); for (; megabytes < 64; megabytes++) fs.writeSync(file, block); }
catch (error) { console.log(error.code); } console.log(megabytes);`;

describe("memory that a sandboxed child takes as files (M7)", () => {
	it.each(["/dev/shm/file", "/dev/file"])("cannot be taken in %s", async (path) => {
		if (!probe.works) return;
		expect(await runConfined(fill(path))).toBe("EROFS\n0");
	});

	it("is bounded in the agent directory, which takes lock files", async () => {
		if (!probe.works || !probe.sandbox.hasSizes) return;
		const [code, megabytes] = (await runConfined(fill(join(home.agentDirectory, "file")))).split("\n");
		expect(code).toBe("ENOSPC");
		expect(Number(megabytes)).toBeLessThanOrEqual(16);
	});

	it("leaves the devices usable", async () => {
		if (!probe.works) return;
		expect(
			await runConfined(
				'require("node:fs").writeFileSync("/dev/null", "x"); console.log(require("node:crypto").randomBytes(2).length)',
			),
		).toBe("2");
	});
});

describe("sockets of other programs", () => {
	it("are found in the kernel's table, with spaces in their names, abstract ones left out", () => {
		const table = `Num       RefCount Protocol Flags    Type St Inode Path
0000000000000000: 00000002 00000000 00010000 0001 01 20466 /run/user/1000/bus
0000000000000000: 00000002 00000000 00010000 0001 01 20467 @/tmp/.X11-unix/X0
0000000000000000: 00000002 00000000 00010000 0001 01 20468 /tmp/my agent/agent.1
0000000000000000: 00000003 00000000 00000000 0001 03 20469
0000000000000000: 00000003 00000000 00000000 0001 03 20470 /tmp/my agent/agent.1`;
		expect(parseSocketPaths(table)).toEqual(["/run/user/1000/bus", "/tmp/my agent/agent.1"]);
	});

	it("cannot be reached from the sandbox once they are listed", async () => {
		if (!probe.works) return;
		const path = join(home.project, "agent.sock");
		const server = createServer((socket) => socket.end("at your service")).listen(path);
		try {
			const connect = `require("node:net").connect(${JSON.stringify(path)}).on("data", (d) => console.log(String(d))).on("error", (e) => console.log(e.code))`;
			expect(await runConfined(connect)).toBe("at your service");
			expect(await runConfined(connect, [path])).toBe("ECONNREFUSED");
			const listed = listOpenSockets(Date.now() + 120_000);
			// Where the kernel's table is that of another network namespace, nothing is listed.
			if (listed.length > 0) expect(listed).toContain(path);
			expect(listOpenSockets()).not.toContain(path);
		} finally {
			server.close();
		}
	});

	it("are covered at their real place, as one below a link such as /var/run has to be", async () => {
		if (!probe.works) return;
		const directory = join(home.project, "run");
		const link = join(home.project, "link");
		mkdirSync(directory);
		symlinkSync(directory, link);
		const server = createServer().listen(join(link, "agent.sock"));
		try {
			const listed = listOpenSockets(Date.now() + 120_000).filter((path) => path.startsWith(home.project));
			expect(await runConfined("console.log('it runs')", listed)).toBe("it runs");
			expect(listed.filter((path) => path.startsWith(link))).toEqual([]);
		} finally {
			server.close();
		}
	});

	it("of our own are left alone: they go away with their process, and want a token", async () => {
		const directory = join(home.project, "lsp-4711-abcdef");
		mkdirSync(directory);
		const server = createServer().listen(join(directory, "lsp.sock"));
		try {
			expect(listOpenSockets(Date.now() + 120_000).filter((path) => path.endsWith("lsp.sock"))).toEqual([]);
		} finally {
			server.close();
		}
	});

	it("that went away in between end bubblewrap with the words that `nextAttempt` looks for", async () => {
		if (!probe.works) return;
		expect(await runConfined("", [join(home.project, "gone", "agent.sock")])).toMatch(/^bwrap: Can't /m);
		expect(await runConfined("", [join(home.project, "gone.sock")])).toMatch(/^bwrap: Can't /m);
	});
});

describe.skipIf(process.platform !== "linux")("memory of a child (M7)", () => {
	it("is bounded: a child that takes more is ended, with the reason", async () => {
		const script = "const kept = []; setInterval(() => kept.push(Buffer.alloc(20e6, 1)), 20);";
		const child = startProcess({
			command: process.execPath,
			args: ["-e", script],
			cwd: home.project,
			env: home.env,
			limits: { ...LIMITS, timeoutMs: 50_000, idleTimeoutMs: 50_000, maxMemoryMb: 300 },
			onLine: () => undefined,
		});
		child.sendInput("");
		const ending = await child.ended;
		expect(ending.reason).toBe("memory-limit");
		expect(ending.message).toMatch(/used \d+ MB of memory; the limit is 300 MB/);
	});

	it("counts what the child started", async () => {
		const inner = "const kept = []; setInterval(() => kept.push(Buffer.alloc(20e6, 1)), 20);";
		const script = `require("node:child_process").spawn(process.execPath, ["-e", ${JSON.stringify(inner)}]); setInterval(() => 0, 1000);`;
		const child = startProcess({
			command: process.execPath,
			args: ["-e", script],
			cwd: home.project,
			env: home.env,
			limits: { ...LIMITS, timeoutMs: 50_000, idleTimeoutMs: 50_000, maxMemoryMb: 300 },
			onLine: () => undefined,
		});
		child.sendInput("");
		expect((await child.ended).reason).toBe("memory-limit");
	});
});
