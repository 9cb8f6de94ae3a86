import type { PlannedChild } from "../../src/children/planned-child.ts";
import type { ChildEnd } from "../../src/contract/event.ts";
import type { ChildPlan } from "../../src/contract/plan.ts";

const END: ChildEnd = {
	type: "child-end",
	reason: "settled",
	exitCode: 0,
	signal: null,
	stderrTail: "",
	durationMs: 1,
};

/** Children without processes, and what became of them, in order. */
export function createPretendChildren() {
	const log: string[] = [];
	const open = { sessions: 0 };
	const prepared: { readonly plan: ChildPlan; readonly signal?: AbortSignal; readonly waits?: boolean }[] =
		[];
	let started = 0;
	const plan = (agent: string, systemPrompt = "", files: readonly string[] = []): PlannedChild => ({
		plan: { agent: { name: agent }, systemPrompt } as ChildPlan,
		files,
		openSession(sessionId) {
			open.sessions += 1;
			let isOpen = true;
			const id = sessionId ?? "new";
			return {
				plan: { id, file: `/sessions/${id}.jsonl`, resumed: sessionId !== undefined },
				noteChild: () => undefined,
				isResumable: () => true,
				close() {
					if (isOpen) open.sessions -= 1;
					isOpen = false;
				},
			};
		},
		runtime: {
			name: "pi",
			describe: () => Promise.reject(new Error("not used")),
			async prepare(given, options) {
				started += 1;
				prepared.push({ plan: given, ...options });
				const name = `${agent} ${started}`;
				log.push(`start ${name}`);
				if (agent === "broken") throw new Error("no");
				return {
					// One that is certainly alive, or certainly not: Linux has no numbers as high as this.
					pid: agent === "dead" ? 5_000_000 : process.pid,
					confinement: "tools-only",
					async run(task) {
						log.push(`run ${name}: ${task}`);
						return END;
					},
					stop: () => undefined,
					discard: async () => void log.push(`end ${name}`),
				};
			},
		},
	});
	return { log, open, plan, prepared };
}
