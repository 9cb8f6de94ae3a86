import { randomUUID } from "node:crypto";
import { getEventListeners } from "node:events";
import {
	existsSync,
	mkdirSync,
	mkdtempSync,
	readdirSync,
	readFileSync,
	readlinkSync,
	realpathSync,
	rmSync,
	writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect } from "vitest";
import { DEFAULT_CONFIG, type SubagentsConfig } from "../../src/contract/config.ts";
import type { SubagentErrorCode } from "../../src/contract/error-codes.ts";
import type { DelegationResult, DelegationUpdate } from "../../src/contract/result.ts";
import { delegate } from "../../src/delegation/delegate.ts";
import type { DelegateOptions } from "../../src/delegation/delegate-options.ts";
import { processWideState } from "../../src/process/live-children.ts";
import { runningWith, until } from "./process-children.ts";
import { listRunDirectories } from "./test-home.ts";

/** A program under test/fixtures/children/pi that poses as pi. */
export function posedPi(name: string): string {
	return fileURLToPath(new URL(`../fixtures/children/pi/${name}.mjs`, import.meta.url));
}

/** What one answer of a posing program costs (see speak.mjs). */
export const ONE_ANSWER = { input: 100, output: 20, cacheRead: 3, cacheWrite: 4, cost: 0.5, turns: 1 };

export interface FaultOptions extends Omit<DelegateOptions, "config" | "env"> {
	readonly subagents?: Partial<SubagentsConfig>;
	readonly env?: Readonly<Record<string, string>>;
	readonly task?: string;
	readonly sessionId?: string;
	readonly agent?: string;
}

export interface FaultBench {
	readonly root: string;
	readonly home: string;
	readonly project: string;
	readonly agents: string;
	readonly temporary: string;
	/** In the environment of everything that is started here. */
	readonly mark: string;
	readonly env: Readonly<Record<string, string>>;
	delegateTo(program: string, options?: FaultOptions): Promise<DelegationResult>;
	/** How often a posing program was started. */
	starts(): number;
	/** Nothing of any run here is left: no process, temporary file, lock, listener, registered child or open descriptor. */
	expectNothingLeft(): Promise<void>;
	remove(): void;
}

const AGENT = `---
name: prober
description: Finds out what happens
readonly: true
tools: read, grep, ls
---
You probe.
`;

const WATCHED_EVENTS = [
	"exit",
	"beforeExit",
	"SIGINT",
	"SIGTERM",
	"SIGHUP",
	"uncaughtException",
	"unhandledRejection",
];
/** What is open in this process, by number: `12 → socket:[4711]`. */
const listDescriptors = (): readonly string[] =>
	readdirSync("/proc/self/fd").flatMap((number) => {
		try {
			return [`${number} → ${readlinkSync(join("/proc/self/fd", number))}`];
		} catch {
			// That of the listing itself.
			return [];
		}
	});
const countListeners = () => WATCHED_EVENTS.map((name) => process.listenerCount(name));

export function createFaultBench(): FaultBench {
	const root = realpathSync(mkdtempSync(join(tmpdir(), "fault-bench-")));
	const [home, project, agents, temporary] = ["home", "project", "agents", "tmp"].map((name) =>
		join(root, name),
	) as [string, string, string, string];
	for (const directory of [home, project, agents, temporary]) mkdirSync(directory);
	writeFileSync(join(agents, "prober.md"), AGENT);
	const mark = randomUUID();
	// Under a name that every child gets; what it is named for does not matter here.
	const env = { PATH: process.env["PATH"] ?? "", HOME: home, PI_TEST_MARK: mark, NO_COLOR: mark };
	const listeners = countListeners();
	const descriptors = new Set(listDescriptors());
	const originalTemporary = process.env["TMPDIR"];
	process.env["TMPDIR"] = temporary;
	const signals: AbortSignal[] = [];

	return {
		root,
		home,
		project,
		agents,
		temporary,
		mark,
		env,
		delegateTo(program, options = {}) {
			const { subagents, env: more, task = "probe", sessionId, agent = "prober", ...rest } = options;
			if (rest.signal) signals.push(rest.signal);
			if (more) writeFileSync(join(home, "test-settings.json"), JSON.stringify(more));
			return delegate(
				{ agent, task, ...(sessionId === undefined ? {} : { sessionId }) },
				{
					cwd: project,
					agentsDirectories: [agents],
					model: "posed/model",
					config: {
						...DEFAULT_CONFIG,
						subagents: { ...DEFAULT_CONFIG.subagents, sandbox: "off", ...subagents },
					},
					env: { ...env, PI_SUBAGENT_PI_BINARY: program, ...more },
					...rest,
				},
			);
		},
		starts() {
			return existsSync(join(home, "starts")) ? readFileSync(join(home, "starts"), "utf8").length : 0;
		},
		async expectNothingLeft() {
			expect(runningWith(mark), "processes").toEqual([]);
			expect(readdirSync(temporary), "temporary files").toEqual([]);
			expect(listRunDirectories(join(home, ".pi", "agent")), "run directories").toEqual([]);
			const files = readdirSync(root, { recursive: true }) as string[];
			expect(
				files.filter((file) => /\.lock|\.tmp|~$/.test(file)),
				"locks",
			).toEqual([]);
			expect(countListeners(), "listeners of the process").toEqual(listeners);
			expect(
				signals.flatMap((signal) => getEventListeners(signal, "abort")),
				"listeners of the signal",
			).toEqual([]);
			expect(processWideState().children.size, "registered children").toBe(0);
			const handles = () => process.getActiveResourcesInfo().filter((name) => name === "ProcessWrap");
			expect(await until(() => handles().length === 0, 2000), "child handles").toBe(true);
			const left = () => listDescriptors().filter((descriptor) => !descriptors.has(descriptor));
			await until(() => left().length === 0, 2000);
			expect(left(), "descriptors").toEqual([]);
		},
		remove() {
			if (originalTemporary === undefined) delete process.env["TMPDIR"];
			else process.env["TMPDIR"] = originalTemporary;
			for (const pid of runningWith(mark)) process.kill(pid, "SIGKILL");
			rmSync(root, { recursive: true, force: true });
		},
	};
}

export interface ExpectedFailure {
	readonly code?: SubagentErrorCode;
	readonly exitCode?: number;
	readonly message: RegExp;
	readonly output?: string | undefined;
	readonly usage?: Partial<typeof ONE_ANSWER>;
}

/** Every failure of a run that had begun holds code, message, partial output, spending and, when it can be continued, the session id, and says so to the model. */
export function expectFailure(result: DelegationResult, expected: ExpectedFailure): void {
	const { details, isError } = result;
	const [single] = details.results;
	expect(isError).toBe(true);
	expect(details.error?.message).toMatch(expected.message);
	expect(details.error?.code).toBe(expected.code ?? "SUBAGENT_FAILED");
	expect(single?.error).toBe(details.error?.message);
	expect(single?.exitCode).toBe(expected.exitCode ?? 1);
	expect(single?.output).toBe(expected.output);
	expect(single?.usage).toMatchObject(
		expected.usage ?? (expected.output === undefined ? { turns: 0 } : ONE_ANSWER),
	);
	expect(result.usage.totalTokens).toBe(
		(single?.usage.input ?? 0) +
			(single?.usage.output ?? 0) +
			(single?.usage.cacheRead ?? 0) +
			(single?.usage.cacheWrite ?? 0),
	);
	// An id is a promise that the session can be continued.
	expect(details.sessionId ?? "").toMatch(single?.sessionFile ? /^[0-9a-f-]{36}$/ : /^$/);
	expect(details.runId).toMatch(/^[0-9a-f]{8}$/);
	const [{ text }] = result.content;
	expect(text).toMatch(/^\*\*Status:\*\* ERROR\n/);
	expect(text.includes("**Session ID:** `")).toBe(single?.sessionFile !== undefined);
	if (expected.output) expect(text).toContain(expected.output);
}

export function expectSuccess(result: DelegationResult, output: string): void {
	expect(result.details.error).toBeUndefined();
	expect(result.isError).toBe(false);
	expect(result.details.results[0]).toMatchObject({ exitCode: 0, output });
	expect(result.details.finalized).toMatchObject({ status: "SUCCESS", result: output });
	expect(result.details.sessionId).toMatch(/^[0-9a-f-]{36}$/);
}

/** Resolves when an update of the run contains the text: the child has got that far. */
export function createUpdateWaiter(): {
	onUpdate(update: DelegationUpdate): void;
	seen(text: string): Promise<void>;
} {
	let all = "";
	const waiting: { text: string; resolve: () => void }[] = [];
	return {
		onUpdate(update) {
			all += JSON.stringify(update);
			for (const { text, resolve } of waiting) if (all.includes(text)) resolve();
		},
		seen: (text) =>
			new Promise((resolve) => (all.includes(text) ? resolve() : void waiting.push({ text, resolve }))),
	};
}
