import type { ChildEnd, ChildEvent } from "../contract/event.ts";
import { LIMITS } from "../contract/limits.ts";
import type { ChildPlan } from "../contract/plan.ts";
import type { Confinement } from "../contract/result.ts";
import { defined } from "../json/defined.ts";
import { parseExit } from "../process/parse-exit.ts";
import { type ProcessEnding, type SupervisedProcess, startProcess } from "../process/start-process.ts";
import { formatMebibytes } from "../text/format-mebibytes.ts";
import type { PreparedChild } from "./runtime.ts";

export interface ChildLaunch {
	readonly command: string;
	readonly args: readonly string[];
	readonly env: Readonly<Record<string, string>>;
	readonly confinement: Confinement;
}

/** What differs between runtimes: the protocol of the child. */
export interface ChildDialect {
	readLine(line: Buffer): { readonly isActivity: boolean; readonly events: readonly ChildEvent[] };
	/** Called with the first bytes of a line that was too long to keep: what it still says, and what was lost. */
	readSkippedLine(head: Buffer): { readonly events: readonly ChildEvent[]; readonly lost?: string };
	writeTask(task: string): string;
	/** Whether the child has nothing left to do. Asked once it has settled. */
	readonly endWhenFinished: boolean;
	/** The child reads messages from its lifeline. */
	readonly takesMessages?: boolean;
	/** Once a child has settled, its exit code only repeats what its events said. */
	readonly isSettledExitIgnored?: boolean;
	/** Called once, after the child and its output have ended. */
	cleanUp?(): void;
}

/** Starts a supervised child and translates it into the events of the contract. */
export function startChild(
	plan: ChildPlan,
	launch: ChildLaunch,
	dialect: ChildDialect,
	signal: AbortSignal | undefined,
): PreparedChild {
	let listener: (event: ChildEvent) => void = () => undefined;
	const holds = createHolds();
	let lostOutput: string | undefined;
	const passOn = (event: ChildEvent): void => {
		holds.follow(event, child);
		listener(event);
		if (event.type === "settled") child.finish();
	};
	const child: SupervisedProcess = startProcess({
		command: launch.command,
		args: launch.args,
		cwd: plan.cwd,
		env: launch.env,
		...defined({ signal }),
		limits: { ...LIMITS, ...plan.limits },
		get endWhenFinished() {
			return dialect.endWhenFinished;
		},
		onLine(line) {
			const { isActivity, events } = dialect.readLine(line);
			if (isActivity) child.noteActivity();
			for (const event of events) passOn(event);
		},
		onSkippedLine(lengthBytes, head) {
			child.noteActivity();
			const { events, lost } = dialect.readSkippedLine(head);
			if (lost !== undefined) lostOutput = `${lost} of ${formatMebibytes(lengthBytes)}`;
			for (const event of events) passOn(event);
		},
	});
	const ended = child.ended.finally(() => {
		holds.releaseAll();
		dialect.cleanUp?.();
	});
	return {
		pid: child.pid,
		confinement: launch.confinement,
		async run(task, onEvent) {
			listener = onEvent;
			// Sent first: there is time for everything else while the child begins to work on it.
			child.sendInput(dialect.writeTask(task));
			onEvent({ type: "child-start", pid: child.pid });
			const ending = await ended;
			const end = toChildEnd(
				ending.reason === "finished" && dialect.isSettledExitIgnored ? { ...ending, exitCode: 0 } : ending,
				lostOutput,
			);
			onEvent(end);
			return end;
		},
		...(dialect.takesMessages ? { send: (text: string) => child.sendMessage(text) } : {}),
		stop: () => child.stop(),
		async discard() {
			child.stop();
			await ended;
		},
	};
}

/** A running tool, or the child's own wait before a retry, does not count as idle time. */
export function createHolds(): {
	follow(event: ChildEvent, child: SupervisedProcess): void;
	releaseAll(): void;
} {
	const open = new Map<string, () => void>();
	const release = (key: string): void => {
		open.get(key)?.();
		open.delete(key);
	};
	return {
		follow(event, child) {
			if (event.type === "tool-start") open.set(`tool ${event.id}`, child.holdIdle());
			if (event.type === "tool-end") release(`tool ${event.id}`);
			if (event.type === "backoff-start") open.set("backoff", child.holdIdle());
			if (event.type === "backoff-end") release("backoff");
		},
		releaseAll: () => [...open.keys()].forEach(release),
	};
}

export function toChildEnd(ending: ProcessEnding, lostOutput: string | undefined): ChildEnd {
	return {
		type: "child-end",
		reason: ending.reason === "finished" ? "settled" : ending.reason,
		...parseExit(ending),
		...(ending.message ? { message: ending.message } : {}),
		...(ending.errorCode ? { errorCode: ending.errorCode } : {}),
		stderrTail: ending.stderrTail,
		...defined({ lostOutput }),
		durationMs: ending.durationMs,
	};
}
