import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { DelegationResult } from "../../src/contract/result.ts";
import { childFixture } from "../helpers/process-children.ts";
import {
	createFaultBench,
	expectFailure,
	expectSuccess,
	type FaultBench,
	posedPi,
} from "../helpers/process-faults.ts";

let bench: FaultBench;
beforeEach(() => {
	bench = createFaultBench();
});
afterEach(async () => {
	try {
		await bench.expectNothingLeft();
	} finally {
		bench.remove();
	}
});

/** A process of its own that delegates under a limit of the system, and what it printed. */
function startLimitedParent(scenario: string, prefix: readonly string[]) {
	const [command = "", ...args] = [
		...prefix,
		process.execPath,
		childFixture("parent-of-delegation"),
		scenario,
	];
	const parent = spawn(command, args, {
		env: {
			...bench.env,
			TMPDIR: bench.temporary,
			PARENT_SETTINGS: JSON.stringify({
				cwd: bench.project,
				agents: bench.agents,
				model: "posed/model",
				env: { PI_SUBAGENT_PI_BINARY: posedPi("good-run") },
			}),
		},
		stdio: ["pipe", "pipe", "inherit"],
	});
	const lines = createInterface(parent.stdout)[Symbol.asyncIterator]();
	return {
		parent,
		exited: once(parent, "exit"),
		async next() {
			const { value } = await lines.next();
			return JSON.parse(String(value)) as { result?: DelegationResult };
		},
	};
}

describe("the start", () => {
	it("row 1: a missing program is a result that names it", async () => {
		const program = join(bench.root, "no-such-pi");
		const result = await bench.delegateTo(program);
		expect(result.isError).toBe(true);
		expect(result.details.error).toMatchObject({ code: "SUBAGENT_FAILED" });
		expect(result.details.error?.message).toContain("no-such-pi");
	});

	it("row 1: a script whose interpreter is missing is a result that names it", async () => {
		const program = join(bench.root, "pi-of-nothing");
		writeFileSync(program, "#!/no/such/interpreter\n", { mode: 0o755 });
		expectFailure(await bench.delegateTo(program), { message: /not found: .*pi-of-nothing/ });
	});

	it("row 2: a missing working directory is called that, not a missing program", async () => {
		rmSync(bench.project, { recursive: true });
		const result = await bench.delegateTo(posedPi("good-run"));
		expect(result.isError).toBe(true);
		expect(result.details.error?.message).toMatch(/directory/i);
		expect(result.details.error?.message).toContain("project");
		expect(bench.starts()).toBe(0);
	});

	it("row 3: a working directory that is a file is a result", async () => {
		rmSync(bench.project, { recursive: true });
		writeFileSync(bench.project, "a file");
		const result = await bench.delegateTo(posedPi("good-run"));
		expect(result.isError).toBe(true);
		expect(result.details.error?.message).toMatch(/not a directory/i);
		expect(bench.starts()).toBe(0);
	});

	it("row 4: a program that may not be executed is a result that says so", async () => {
		const program = join(bench.root, "locked-pi");
		writeFileSync(program, "#!/bin/sh\n");
		chmodSync(program, 0o644);
		expectFailure(await bench.delegateTo(program), { message: /may not be executed.*EACCES/ });
	});

	it("row 5: a task of several megabytes is delivered whole, and not on the command line", async () => {
		const task = `@/etc/hostname -x ${"é".repeat(2_000_000)}`;
		const result = await bench.delegateTo(posedPi("echo-length"), { task });
		const { length, head, argv } = JSON.parse(result.details.results[0]?.output ?? "{}");
		expect(length).toBe(task.length);
		expect(head).toBe(task.slice(0, 20));
		expect(argv).toBeLessThan(10_000);
	});

	it("row 5: a command line past the system's limit is a result", async () => {
		writeFileSync(
			join(bench.agents, "prober.md"),
			"---\nname: prober\ndescription: d\ntools: read\n---\nprobe\n",
		);
		const result = await bench.delegateTo(posedPi("good-run"), { model: `posed/${"m".repeat(200_000)}` });
		expectFailure(result, { message: /larger than the system allows \(E2BIG\)/ });
		expect(bench.starts()).toBe(0);
	});

	it.each([
		["a NUL character", "look at a\0b"],
		["half of a surrogate pair", "look at \ud800 this"],
	])("row 6: a task with %s is refused before anything is started", async (_title, task) => {
		const result = await bench.delegateTo(posedPi("good-run"), { task });
		expect(result.isError).toBe(true);
		expect(result.details.error?.code).toBe("INVALID_INPUT");
		expect(bench.starts()).toBe(0);
	});

	it("row 7: no descriptor left (EMFILE) is retried once, then a clear message", async () => {
		const limited = startLimitedParent("few-descriptors", ["prlimit", "--nofile=256"]);
		const { result } = await limited.next();
		await limited.exited;
		expectFailure(result!, { message: /Too many open files.*EMFILE.*ulimit -n/ });
	});

	it("row 7: descriptors that come free in the pause make the retry succeed", async () => {
		const limited = startLimitedParent("few-descriptors-for-a-while", ["prlimit", "--nofile=256"]);
		const { result } = await limited.next();
		await limited.exited;
		expectSuccess(result!, "done: probe");
	});

	it("row 8: no process left (EAGAIN) is retried once, then a clear message", async () => {
		// The limit does not hold for root.
		const asNobody = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", "--"];
		const isRoot = process.getuid?.() === 0;
		if (isRoot)
			for (const path of [dirname(bench.root), bench.root, bench.home, bench.project, bench.temporary])
				chmodSync(path, 0o777);
		const limited = startLimitedParent("no-more-processes", isRoot ? asNobody : []);
		const { result } = await limited.next();
		await limited.exited;
		expectFailure(result!, { message: /no room for another process.*EAGAIN/ });
	});
});

describe("a run that is aborted", () => {
	it("row 9: before it began starts nothing", async () => {
		const result = await bench.delegateTo(posedPi("good-run"), { signal: AbortSignal.abort() });
		expect(result.isError).toBe(true);
		expect(result.details.error).toMatchObject({ code: "SUBAGENT_FAILED" });
		expect(result.details.error?.message).toMatch(/cancelled/);
		expect(bench.starts()).toBe(0);
	});

	it.each([0, 1, 5, 20, 60])(
		"row 10: %i ms after its start leaves nothing and settles once",
		async (afterMs) => {
			const controller = new AbortController();
			const running = bench.delegateTo(posedPi("hang-before-start"), { signal: controller.signal });
			if (afterMs === 0) controller.abort();
			else setTimeout(() => controller.abort(), afterMs);
			const result = await running;
			expect(result.details.error?.message).toMatch(/cancelled/);
			expect(result.details.results[0]?.exitCode ?? 130).toBe(130);
		},
	);
});
