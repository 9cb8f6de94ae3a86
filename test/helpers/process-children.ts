import { randomUUID } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { isRunning, readProcess } from "../../src/process/read-process-table.ts";
import { type ProcessLimits, type ProcessSpec, startProcess } from "../../src/process/start-process.ts";

/** A small program under test/fixtures/children that does one thing. */
export function childFixture(name: string): string {
	return fileURLToPath(new URL(`../fixtures/children/${name}.mjs`, import.meta.url));
}

/** An environment that marks everything started with it, so that a test can see whether anything is left. */
export function markedEnvironment(): { env: Record<string, string>; mark: string } {
	const mark = randomUUID();
	return { mark, env: { PATH: process.env["PATH"] ?? "", TEST_MARK: mark } };
}

/** Pids of running processes whose environment holds the mark. */
export function runningWith(mark: string): number[] {
	return readdirSync("/proc")
		.map(Number)
		.filter((pid) => Number.isInteger(pid) && pid !== process.pid && carries(pid, mark));
}

function carries(pid: number, mark: string): boolean {
	try {
		if (!readFileSync(`/proc/${pid}/environ`, "latin1").includes(mark)) return false;
		const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
		return !/^[ZX]/.test(stat.slice(stat.lastIndexOf(")") + 2));
	} catch {
		return false;
	}
}

/**
 * True when every process that carries the mark now is gone in time. A process that is just ending has no
 * environment any more but still is a process, so the pids are noted before `end` is called.
 */
export async function goneAfter(mark: string, end: () => void, withinMs: number): Promise<boolean> {
	const entries = runningWith(mark)
		.map(readProcess)
		.filter((entry) => entry !== undefined);
	end();
	return until(() => !entries.some(isRunning) && runningWith(mark).length === 0, withinMs);
}

export async function until(condition: () => boolean, withinMs: number): Promise<boolean> {
	const deadline = performance.now() + withinMs;
	while (!condition()) {
		if (performance.now() > deadline) return false;
		await new Promise((resolve) => setTimeout(resolve, 10));
	}
	return true;
}

export const TEST_LIMITS: ProcessLimits = {
	timeoutMs: 60_000,
	idleTimeoutMs: 60_000,
	maxLineBytes: 1024 * 1024,
	maxStdoutBytes: 64 * 1024 * 1024,
	maxStderrBytes: 8 * 1024 * 1024,
	stderrTailBytes: 4096,
	stopGraceMs: 5000,
	drainMs: 2000,
};

export interface FixtureRun {
	readonly args?: readonly string[];
	readonly limits?: Partial<ProcessLimits>;
	readonly spec?: Partial<ProcessSpec>;
	/** Called for every line. */
	readonly onLine?: (text: string) => void;
}

/** Starts a fixture under supervision. `firstLine` is its announcement that it runs. */
export function startFixture(name: string, run: FixtureRun = {}) {
	const { env, mark } = markedEnvironment();
	const lines: string[] = [];
	let announce: (line: string) => void = () => undefined;
	const firstLine = new Promise<string>((resolve) => {
		announce = resolve;
	});
	const child = startProcess({
		command: process.execPath,
		args: [childFixture(name), ...(run.args ?? [])],
		cwd: process.cwd(),
		env,
		limits: { ...TEST_LIMITS, ...run.limits },
		onLine(line) {
			const text = line.toString("utf8");
			lines.push(text);
			announce(text);
			run.onLine?.(text);
		},
		...run.spec,
	});
	return { child, lines, firstLine, mark };
}
