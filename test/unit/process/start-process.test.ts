import { afterEach, describe, expect, it } from "vitest";
import { processWideState } from "../../../src/process/live-children.ts";
import { runningWith, startFixture, until } from "../../helpers/process-children.ts";

const marks: string[] = [];

function start(...parameters: Parameters<typeof startFixture>) {
	const started = startFixture(...parameters);
	marks.push(started.mark);
	return started;
}

afterEach(() => {
	const left = marks.splice(0).flatMap(runningWith);
	expect(left, "processes left behind").toEqual([]);
	expect(processWideState().children.size, "children still registered").toBe(0);
	expect(processWideState().exitListener, "exit listener still installed").toBeUndefined();
});

describe("a child that ends by itself", () => {
	it("gets its input, and its lines come in order with the exit code", async () => {
		const { child, lines } = start("echo-input");
		child.sendInput("one\ntwo\nthree");
		const ending = await child.ended;
		expect(ending).toMatchObject({ reason: "exit", exitCode: 0, signal: null });
		expect(lines).toEqual(["ready", "one", "two", "three"]);
		expect(ending.message).toBeUndefined();
	});

	it("receives an input of several megabytes whole", async () => {
		const { child, lines } = start("echo-input", { limits: { maxLineBytes: 8 * 1024 * 1024 } });
		const text = "@-/é".repeat(1_000_000);
		child.sendInput(text);
		await child.ended;
		expect(lines[1] === text).toBe(true);
	});

	it("is not an error when it closes stdin unread", async () => {
		const { child } = start("close-stdin");
		child.sendInput("x".repeat(1_000_000));
		expect(await child.ended).toMatchObject({ reason: "exit", exitCode: 0 });
	});

	it("dies by a signal and the signal is named", async () => {
		const { child } = start("die-by-signal", { args: ["SIGABRT"] });
		expect(await child.ended).toMatchObject({ reason: "exit", exitCode: null, signal: "SIGABRT" });
	});

	it("may end before it was given its task", async () => {
		const { child } = start("die-by-signal", { args: ["SIGKILL"] });
		expect(await child.ended).toMatchObject({ reason: "exit", signal: "SIGKILL" });
		child.sendInput("too late");
		child.stop();
	});

	it("leaves a grandchild in its own session, which is ended", async () => {
		const { child, lines } = start("start-detached-grandchild", { args: ["exit"] });
		child.sendInput("");
		expect(await child.ended).toMatchObject({ reason: "exit", exitCode: 0 });
		expect(lines).toHaveLength(1);
	});

	it("does not hold up the end while a grandchild keeps its stdout open", async () => {
		const { child } = start("start-detached-grandchild", { args: ["exit", "hold"] });
		child.sendInput("");
		const ending = await child.ended;
		expect(ending).toMatchObject({ reason: "exit", exitCode: 0 });
	});

	it("has output read that was written after its exit", async () => {
		const { child, lines } = start("write-after-exit");
		child.sendInput("");
		await child.ended;
		expect(lines).toEqual(["early", "late"]);
	});
});

describe("a child that must be stopped", () => {
	it("is aborted by the signal", async () => {
		const controller = new AbortController();
		const { child, firstLine } = start("wait-forever", { spec: { signal: controller.signal } });
		child.sendInput("");
		await firstLine;
		controller.abort();
		expect(await child.ended).toMatchObject({ reason: "aborted", exitCode: null, signal: "SIGTERM" });
	});

	it("is never started when the signal is already aborted", async () => {
		const { child } = start("wait-forever", { spec: { signal: AbortSignal.abort() } });
		child.sendInput("");
		expect(child.pid).toBeUndefined();
		expect(await child.ended).toMatchObject({ reason: "aborted", exitCode: null, signal: null });
	});

	it("is aborted in the same turn in which it was started", async () => {
		const { child } = start("wait-forever");
		child.stop();
		expect(await child.ended).toMatchObject({ reason: "aborted" });
	});

	it("takes its grandchild in another session with it", async () => {
		const { child, firstLine, mark } = start("start-detached-grandchild");
		child.sendInput("");
		await firstLine;
		expect(runningWith(mark).length).toBe(2);
		child.stop();
		expect(await child.ended).toMatchObject({ reason: "aborted" });
		expect(runningWith(mark)).toEqual([]);
	});

	it("is killed when it ignores SIGTERM, and what it still wrote is read", async () => {
		const { child, firstLine, lines } = start("ignore-sigterm", { limits: { stopGraceMs: 300 } });
		child.sendInput("");
		await firstLine;
		child.stop();
		expect(await child.ended).toMatchObject({ reason: "aborted", signal: "SIGKILL" });
		expect(lines).toEqual(["ready", "asked to stop"]);
	});

	it("is killed when it is suspended and cannot react", async () => {
		const { child, firstLine } = start("wait-forever", {
			limits: { idleTimeoutMs: 200, stopGraceMs: 200 },
		});
		await firstLine;
		process.kill(child.pid!, "SIGSTOP");
		child.sendInput("");
		expect(await child.ended).toMatchObject({ reason: "idle-timeout", signal: "SIGKILL" });
	});

	it("has finished even when it does not exit afterwards", async () => {
		const { child, firstLine } = start("ignore-sigterm", { limits: { stopGraceMs: 200, drainMs: 200 } });
		child.sendInput("");
		await firstLine;
		child.finish();
		const ending = await child.ended;
		expect(ending).toMatchObject({ reason: "finished", signal: "SIGKILL" });
		expect(ending.message).toBeUndefined();
	});

	it("keeps the first reason", async () => {
		const controller = new AbortController();
		const { child, firstLine } = start("wait-forever", {
			spec: { signal: controller.signal },
			limits: { drainMs: 300 },
		});
		child.sendInput("");
		await firstLine;
		child.finish();
		controller.abort();
		child.stop();
		expect(await child.ended).toMatchObject({ reason: "finished" });
	});
});

describe("the two clocks", () => {
	it("stop a chatty child at the hard limit", async () => {
		const { child } = start("plain-noise", {
			limits: { timeoutMs: 500 },
			onLine: () => child.noteActivity(),
		});
		child.sendInput("");
		const ending = await child.ended;
		expect(ending.reason).toBe("runtime-timeout");
		expect(ending.message).toContain("500 ms");
	});

	it("do not take plain output for activity", async () => {
		const { child, lines, firstLine } = start("plain-noise", { limits: { idleTimeoutMs: 400 } });
		await firstLine;
		child.sendInput("");
		expect((await child.ended).reason).toBe("idle-timeout");
		expect(lines.length).toBeGreaterThan(1);
	});

	it("do not run before the task was sent", async () => {
		const { child, firstLine } = start("echo-input", { limits: { timeoutMs: 600_000, idleTimeoutMs: 100 } });
		await firstLine;
		expect(
			await Promise.race([child.ended, new Promise((resolve) => setTimeout(resolve, 400, "alive"))]),
		).toBe("alive");
		child.sendInput("go");
		expect((await child.ended).reason).toBe("exit");
	});

	it("wait while something is held and go on when it is released", async () => {
		const { child, firstLine } = start("wait-forever", { limits: { idleTimeoutMs: 150 } });
		await firstLine;
		const release = child.holdIdle();
		child.sendInput("");
		const first = await Promise.race([
			child.ended,
			new Promise((resolve) => setTimeout(resolve, 600, "held")),
		]);
		expect(first).toBe("held");
		release();
		release();
		expect((await child.ended).reason).toBe("idle-timeout");
	});

	it("do not blame the child for a time in which our own event loop was blocked", async () => {
		const { child, firstLine, lines } = start("echo-input", {
			limits: { idleTimeoutMs: 500 },
			onLine: () => child.noteActivity(),
		});
		await firstLine;
		child.sendInput("answer\n");
		// The answer arrives in the pipe while nobody can read it.
		const blockedUntil = performance.now() + 1500;
		while (performance.now() < blockedUntil);
		expect((await child.ended).reason).toBe("exit");
		expect(lines).toEqual(["ready", "answer"]);
	});
});

describe("too much output", () => {
	it("in one line skips the line and reads the next", async () => {
		const skipped: [number, string][] = [];
		const { child, lines } = start("one-long-line", {
			args: ["20"],
			spec: { onSkippedLine: (length, head) => skipped.push([length, head.toString("utf8", 0, 9)]) },
		});
		child.sendInput("");
		const ending = await child.ended;
		expect(ending).toMatchObject({ reason: "exit", exitCode: 0 });
		expect(skipped).toEqual([[expect.any(Number), '{"type":"']]);
		expect(lines).toEqual(['{"type":"before"}', '{"type":"after"}']);
	});

	it("in a line that never ends stops the child at the total limit", async () => {
		const { child, lines } = start("endless-line", { limits: { maxStdoutBytes: 4 * 1024 * 1024 } });
		child.sendInput("");
		const ending = await child.ended;
		expect(ending.reason).toBe("output-limit");
		expect(ending.message).toContain("4194304 bytes");
		expect(lines).toEqual([]);
	});

	it("on stderr stops the child and keeps the end", async () => {
		const { child } = start("endless-stderr", {
			limits: { maxStderrBytes: 1024 * 1024, stderrTailBytes: 100 },
		});
		child.sendInput("");
		const ending = await child.ended;
		expect(ending.reason).toBe("output-limit");
		expect(ending.stderrTail).toHaveLength(100);
		expect(ending.stderrTail).toContain("complaint");
	});
});

describe("a child that cannot be started", () => {
	it.each([
		[
			"a missing program",
			{ command: "no-such-program-anywhere" },
			/not found: no-such-program-anywhere/,
			"ENOENT",
		],
		[
			"a missing directory",
			{ cwd: "/no/such/directory" },
			/directory does not exist: \/no\/such\/directory/,
			"ENOENT",
		],
		["a file as directory", { cwd: process.execPath }, /is not a directory/, "ENOTDIR"],
		["a file that is no program", { command: "/etc/passwd" }, /may not be executed.*EACCES/, "EACCES"],
		["an argument past the system's limit", { args: ["x".repeat(200_000)] }, /E2BIG/, "E2BIG"],
		["an argument with a zero byte", { args: ["a\0b"] }, /null bytes/, "ERR_INVALID_ARG_VALUE"],
	])("says so for %s", async (_title, spec, message, errorCode) => {
		const { child } = start("wait-forever", { spec });
		child.sendInput("");
		const ending = await child.ended;
		expect(ending).toMatchObject({ reason: "spawn-error", exitCode: null, signal: null, errorCode });
		expect(ending.message).toMatch(message);
	});
});

describe("eight children at once", () => {
	it("end independently of the one that fails", async () => {
		const started = Array.from({ length: 8 }, (_, index) =>
			index === 3 ? start("die-by-signal", { args: ["SIGSEGV"] }) : start("echo-input"),
		);
		for (const { child } of started) child.sendInput("done");
		const endings = await Promise.all(started.map(({ child }) => child.ended));
		expect(endings.map((ending) => ending.signal ?? ending.exitCode)).toEqual([
			0,
			0,
			0,
			"SIGSEGV",
			0,
			0,
			0,
			0,
		]);
	});
});

it("leaves no descriptor open after many runs", async () => {
	const { readdirSync } = await import("node:fs");
	const open = () => readdirSync("/proc/self/fd").length;
	await start("die-by-signal").child.ended;
	const before = open();
	for (let run = 0; run < 10; run++) await start("die-by-signal").child.ended;
	expect(await until(() => open() <= before, 5000)).toBe(true);
});
