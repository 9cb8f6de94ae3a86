import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { afterEach, describe, expect, it } from "vitest";
import { parentDeathPrefix } from "../../../src/process/bind-to-parent.ts";
import { isRunning, listProcesses } from "../../../src/process/read-process-table.ts";
import { childFixture, markedEnvironment, runningWith, until } from "../../helpers/process-children.ts";

/** What the issue promises; the machine may be loaded, so the tests allow more before they call it a failure. */
const GONE_WITHIN_MS = 5000;
const parents: ChildProcess[] = [];
const marks: string[] = [];

afterEach(() => {
	for (const parent of parents.splice(0)) parent.kill("SIGKILL");
	for (const pid of marks.splice(0).flatMap(runningWith)) process.kill(pid, "SIGKILL");
});

/** Starts a parent process that starts the fixture; resolves with the first line the fixture wrote. */
async function startParent(ending: "live" | "exit" | "throw", fixture: string, ...args: string[]) {
	const { parent, mark } = spawnParent(ending, fixture, ...args);
	const exited = once(parent, "exit");
	const [line] = await once(createInterface(parent.stdout!), "line");
	return { parent, mark, exited, report: JSON.parse(String(line)) as { child: number; line: string } };
}

function spawnParent(ending: string, fixture: string, ...args: string[]) {
	const { env, mark } = markedEnvironment();
	const parent = spawn(
		process.execPath,
		[
			"--disable-warning=ExperimentalWarning",
			childFixture("parent-of-child"),
			ending,
			childFixture(fixture),
			...args,
		],
		{ env, stdio: ["ignore", "pipe", "ignore"] },
	);
	parents.push(parent);
	marks.push(mark);
	return { parent, mark };
}

describe("when the parent is killed with SIGKILL", () => {
	it("a child that watches its lifeline goes, with a grandchild in another session", async () => {
		const { parent, mark } = await startParent("live", "lifeline-child", "grandchild");
		expect(runningWith(mark)).toHaveLength(3);
		parent.kill("SIGKILL");
		expect(await until(() => runningWith(mark).length === 0, GONE_WITHIN_MS)).toBe(true);
	});

	it("a child that does not watch anything yet goes on Linux, by the kernel's signal", async () => {
		expect(parentDeathPrefix()).not.toEqual([]);
		const { parent, mark } = await startParent("live", "wait-forever");
		expect(runningWith(mark)).toHaveLength(2);
		parent.kill("SIGKILL");
		expect(await until(() => runningWith(mark).length === 0, GONE_WITHIN_MS)).toBe(true);
	});

	it.each([
		["that ignores SIGTERM", "ignore-sigterm", []],
		["that ignores SIGTERM, with its grandchild", "lifeline-child", ["deaf"]],
		["that does not end its grandchild", "start-detached-grandchild", []],
		["that computes without end", "compute-forever", []],
	])("a child %s is ended by the guardian", async (_title, fixture, args) => {
		const { parent, mark } = await startParent("live", fixture, ...args);
		parent.kill("SIGKILL");
		expect(await until(() => runningWith(mark).length === 0, GONE_WITHIN_MS)).toBe(true);
	});

	it("a child is guarded before anything else happens in its parent", async () => {
		const { parent, mark } = spawnParent("doomed", "compute-forever");
		await once(parent, "exit");
		expect(runningWith(mark)).toHaveLength(1);
		expect(await until(() => runningWith(mark).length === 0, GONE_WITHIN_MS)).toBe(true);
	});

	it("a child that is suspended is ended by the guardian", async () => {
		const { parent, mark, report } = await startParent("live", "wait-forever");
		process.kill(report.child, "SIGSTOP");
		parent.kill("SIGKILL");
		expect(await until(() => runningWith(mark).length === 0, GONE_WITHIN_MS)).toBe(true);
	});

	const findGuardian = (parentPid: number | undefined, mark: string) =>
		listProcesses().find((entry) => entry.parentPid === parentPid && !runningWith(mark).includes(entry.pid));

	it("the guardian goes too", async () => {
		const { parent, mark } = await startParent("live", "wait-forever");
		// Between fork and exec it still looks like its parent.
		expect(await until(() => findGuardian(parent.pid, mark) !== undefined, GONE_WITHIN_MS)).toBe(true);
		const guardian = findGuardian(parent.pid, mark);
		parent.kill("SIGKILL");
		expect(await until(() => !isRunning(guardian!), GONE_WITHIN_MS)).toBe(true);
	});

	it("a guardian that a child killed has been replaced", async () => {
		const { parent, mark } = await startParent("live", "compute-forever");
		expect(await until(() => findGuardian(parent.pid, mark) !== undefined, GONE_WITHIN_MS)).toBe(true);
		const first = findGuardian(parent.pid, mark);
		process.kill(first!.pid, "SIGKILL");
		const hasSecond = (): boolean => {
			const second = findGuardian(parent.pid, mark);
			return second !== undefined && second.pid !== first?.pid && isRunning(second);
		};
		expect(await until(hasSecond, GONE_WITHIN_MS)).toBe(true);
		parent.kill("SIGKILL");
		expect(await until(() => runningWith(mark).length === 0, GONE_WITHIN_MS)).toBe(true);
	});
});

describe("when the parent ends by itself", () => {
	it.each(["exit", "throw"] as const)("by %s, child and grandchild are gone before it is", async (ending) => {
		const { mark, exited } = await startParent(ending, "start-detached-grandchild");
		const [code] = await exited;
		expect(code).toBe(ending === "exit" ? 0 : 1);
		expect(await until(() => runningWith(mark).length === 0, GONE_WITHIN_MS)).toBe(true);
	});

	it("a child that ignores SIGTERM does not stay", async () => {
		const { mark, exited } = await startParent("exit", "ignore-sigterm");
		await exited;
		expect(await until(() => runningWith(mark).length === 0, GONE_WITHIN_MS)).toBe(true);
	});
});

describe("the lifeline itself", () => {
	// Nobody is killed here: neither the kernel nor the guardian has a reason to end the child.
	it("ends a child when its other end is closed, without anything said about where it is", async () => {
		const { env, mark } = markedEnvironment();
		marks.push(mark);
		const child = spawn(process.execPath, [childFixture("lifeline-child")], {
			env,
			stdio: ["ignore", "pipe", "inherit", "pipe"],
		});
		parents.push(child);
		const exited = once(child, "exit");
		await once(createInterface(child.stdout!), "line");
		child.stdio[3]!.destroy();
		expect(await exited).toEqual([143, null]);
	});

	it("does not keep a child alive that has nothing left to do", async () => {
		const { mark, report, exited } = await startParent("live", "lifeline-child", "idle");
		expect(report.child).toBeGreaterThan(0);
		// The parent has nothing to wait for either once the child is gone.
		await exited;
		expect(await until(() => runningWith(mark).length === 0, GONE_WITHIN_MS)).toBe(true);
	});

	it.each([
		["nothing", ["ignore", "pipe", "inherit"]],
		["a closed descriptor", ["ignore", "pipe", "inherit", "ignore"]],
	] as const)("is not needed: with %s in its place the child runs as usual", async (_title, stdio) => {
		const { env, mark } = markedEnvironment();
		marks.push(mark);
		const child = spawn(process.execPath, [childFixture("lifeline-child")], { env, stdio: [...stdio] });
		parents.push(child);
		const exited = once(child, "exit");
		await once(createInterface(child.stdout!), "line");
		expect(child.exitCode).toBeNull();
		child.kill("SIGTERM");
		expect(await exited).toEqual([143, null]);
	});
});
