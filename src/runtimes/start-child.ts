import type { ChildEvent } from "../contract/event.ts";
import type { ChildPlan } from "../contract/plan.ts";
import type { PreparedChild } from "./runtime.ts";
import { type ChildLaunch, type LineDialect, startEventProcess } from "./start-event-process.ts";

/** What differs between runtimes: the protocol of the child. */
export interface ChildDialect extends LineDialect {
	writeTask(task: string): string;
	/** The child reads messages from its lifeline. */
	readonly takesMessages?: boolean;
	/** Once a child has settled, its exit code only repeats what its events said. */
	readonly isSettledExitIgnored?: boolean;
}

/** Starts a supervised child and translates it into the events of the contract. */
export function startChild(
	plan: ChildPlan,
	launch: ChildLaunch,
	dialect: ChildDialect,
	signal: AbortSignal | undefined,
): PreparedChild {
	let listener: (event: ChildEvent) => void = () => undefined;
	const { child, ended, toEnd } = startEventProcess(plan, launch, dialect, {
		signal,
		onEvent(event) {
			listener(event);
			if (event.type === "settled") child.finish();
		},
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
			const end = toEnd(
				ending.reason === "finished" && dialect.isSettledExitIgnored ? { ...ending, exitCode: 0 } : ending,
			);
			onEvent(end);
			return end;
		},
		...(dialect.takesMessages
			? { send: (text: string) => child.sendMessage(text), answer: child.sendAnswer }
			: {}),
		stop: () => child.stop(),
		async discard() {
			child.stop();
			await ended;
		},
	};
}
