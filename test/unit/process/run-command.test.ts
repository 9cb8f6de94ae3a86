import { afterEach, describe, expect, it } from "vitest";
import { type CommandSpec, runCommand } from "../../../src/process/run-command.ts";
import { childFixture, markedEnvironment, runningWith } from "../../helpers/process-children.ts";

const { env, mark } = markedEnvironment();

function run(args: readonly string[], spec: Partial<CommandSpec> = {}) {
	return runCommand({
		command: process.execPath,
		args,
		cwd: process.cwd(),
		env,
		timeoutMs: 60_000,
		maxStdoutBytes: 1024 * 1024,
		...spec,
	});
}

afterEach(() => {
	expect(runningWith(mark), "processes left behind").toEqual([]);
});

describe("a command", () => {
	it("gets its input and gives back output, the end of stderr and its exit code", async () => {
		const ending = await run(
			["-e", "process.stdin.pipe(process.stdout); console.error('note'); process.exitCode = 3"],
			{
				input: Buffer.from([0, 255, 10, 65]),
			},
		);
		expect(ending).toMatchObject({ reason: "exit", exitCode: 3, signal: null, stderr: "note\n" });
		expect([...ending.stdout]).toEqual([0, 255, 10, 65]);
		expect(ending.message).toBeUndefined();
	});

	it("has its stdin closed when there is no input", async () => {
		expect((await run([childFixture("echo-input")])).stdout.toString()).toBe("ready\n");
	});

	it("keeps only the end of a long stderr and is not ended for it", async () => {
		const ending = await run(["-e", "process.stderr.write('x'.repeat(1e6) + 'end')"], { maxStderrBytes: 10 });
		expect(ending).toMatchObject({ reason: "exit", exitCode: 0, stderr: "xxxxxxxend" });
	});

	it("that takes too long is stopped, with what it had written", async () => {
		const ending = await run([childFixture("wait-forever")], { timeoutMs: 1500 });
		expect(ending).toMatchObject({ reason: "timeout", exitCode: null, signal: "SIGTERM" });
		expect(ending.message).toContain("1500 ms");
		expect(ending.stdout.toString()).toBe("ready\n");
	});

	it("that ignores SIGTERM is killed", async () => {
		expect(await run([childFixture("ignore-sigterm")], { timeoutMs: 1000 })).toMatchObject({
			reason: "timeout",
			signal: "SIGKILL",
		});
	});

	it("is stopped by the signal, and not started when that was aborted before", async () => {
		const controller = new AbortController();
		const running = run([childFixture("wait-forever")], { signal: controller.signal });
		controller.abort();
		expect((await running).reason).toBe("aborted");
		expect(await run(["-e", "1"], { signal: controller.signal })).toMatchObject({
			reason: "aborted",
			exitCode: null,
		});
	});

	it("that writes too much is stopped, and exactly the limit is kept", async () => {
		const ending = await run([childFixture("endless-line")], { maxStdoutBytes: 100_000 });
		expect(ending.reason).toBe("output-limit");
		expect(ending.stdout.length).toBe(100_000);
	});

	it("that needs too much memory is stopped", async () => {
		const grow = "const kept = []; setInterval(() => kept.push(Buffer.alloc(2e7, 1)), 20)";
		const ending = await run(["-e", grow], { maxRssMb: 250 });
		expect(ending.reason).toBe("memory-limit");
		expect(ending.message).toContain("the limit is 250 MB");
	});

	it("counts the memory of what it starts", async () => {
		const grow = "const kept = []; setInterval(() => kept.push(Buffer.alloc(2e7, 1)), 20)";
		const start = `require("child_process").spawn(process.execPath, ["-e", ${JSON.stringify(grow)}])`;
		expect((await run(["-e", start], { maxRssMb: 300 })).reason).toBe("memory-limit");
	});

	it("that leaves a process in another session behind has it ended", async () => {
		const ending = await run([childFixture("start-detached-grandchild"), "exit"]);
		expect(ending).toMatchObject({ reason: "exit", exitCode: 0 });
		expect(ending.stdout.toString()).toContain("grandchild");
	});

	it("that does not exist is an ending with a message", async () => {
		const ending = await run([], { command: "no-such-program-anywhere" });
		expect(ending).toMatchObject({ reason: "spawn-error", exitCode: null, signal: null });
		expect(ending.message).toContain("no-such-program-anywhere");
	});

	it("leaves no listener on the signal", async () => {
		const controller = new AbortController();
		const added: string[] = [];
		const add = controller.signal.addEventListener.bind(controller.signal);
		const remove = controller.signal.removeEventListener.bind(controller.signal);
		controller.signal.addEventListener = ((...parameters: Parameters<typeof add>) => {
			added.push(parameters[0]);
			add(...parameters);
		}) as typeof add;
		controller.signal.removeEventListener = ((...parameters: Parameters<typeof remove>) => {
			added.splice(added.indexOf(parameters[0]), 1);
			remove(...parameters);
		}) as typeof remove;
		await run(["-e", "1"], { signal: controller.signal });
		expect(added).toEqual([]);
	});
});
