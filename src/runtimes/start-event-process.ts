import { defined, formatMebibytes } from "@deputize/ground";
import type { ChildEnd, ChildEvent } from "../contract/event.ts";
import { LIMITS } from "../contract/limits.ts";
import type { ChildPlan } from "../contract/plan.ts";
import type { Confinement } from "../contract/result.ts";
import { parseExit } from "../process/parse-exit.ts";
import { type ProcessEnding, type SupervisedProcess, startProcess } from "../process/start-process.ts";

export interface ChildLaunch {
	readonly command: string;
	readonly args: readonly string[];
	readonly env: Readonly<Record<string, string>>;
	readonly confinement: Confinement;
}

/** How a child's lines are read, and what is done when it is gone. */
export interface LineDialect {
	readLine(line: Buffer): { readonly isActivity: boolean; readonly events: readonly ChildEvent[] };
	/** Called with the first bytes of a line that was too long to keep: what it still says, and what was lost. */
	readSkippedLine(head: Buffer): { readonly events: readonly ChildEvent[]; readonly lost?: string };
	/** Whether the child has nothing left to do. Asked once it has settled. */
	readonly endWhenFinished: boolean;
	/** Called once, after the child and its output have ended. */
	cleanUp?(): void;
}

/** A supervised process whose lines have become events of the contract. */
export function startEventProcess(
	plan: Pick<ChildPlan, "cwd" | "limits">,
	launch: ChildLaunch,
	dialect: LineDialect,
	options: { readonly onEvent: (event: ChildEvent) => void; readonly signal?: AbortSignal | undefined },
) {
	const holds = createHolds();
	let lostOutput: string | undefined;
	const passOn = (event: ChildEvent): void => {
		holds.follow(event, child);
		options.onEvent(event);
	};
	const child: SupervisedProcess = startProcess({
		command: launch.command,
		args: launch.args,
		cwd: plan.cwd,
		env: launch.env,
		...defined({ signal: options.signal }),
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
		child,
		/** Resolves after `cleanUp`. */
		ended,
		toEnd: (ending: ProcessEnding): ChildEnd => toChildEnd(ending, lostOutput),
		/** What one task leaves open or has lost is not the next one's. */
		forgetTask(): void {
			holds.releaseAll();
			lostOutput = undefined;
		},
	};
}

/** A running tool, or the child's own wait before a retry, does not count as idle time. */
function createHolds(): {
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

function toChildEnd(ending: ProcessEnding, lostOutput: string | undefined): ChildEnd {
	return {
		type: "child-end",
		reason: ending.reason === "finished" ? "settled" : ending.reason,
		...parseExit(ending),
		...defined({ message: ending.message || undefined, errorCode: ending.errorCode, lostOutput }),
		stderrTail: ending.stderrTail,
		durationMs: ending.durationMs,
	};
}
