import { defined, groupBy } from "@deputize/ground";
import type { RunState, RunSummary } from "./run-summary.ts";

/** Everything given has to match. */
export interface RunFilter {
	readonly agent?: string | undefined;
	readonly model?: string | undefined;
	/** The working directory, as the run has it. */
	readonly project?: string | undefined;
	readonly state?: RunState | undefined;
	readonly batch?: string | undefined;
	/** Who asked, as the run has it; also finds what runs of theirs started. */
	readonly parent?: string | undefined;
	/** Words in any order, in any of the texts of a run. */
	readonly text?: string | undefined;
	/** True: no tasks of batches. */
	readonly single?: boolean | undefined;
}

export function filterRuns(runs: readonly RunSummary[], filter: RunFilter): readonly RunSummary[] {
	const words = (filter.text ?? "").toLowerCase().split(/\s+/).filter(Boolean);
	const { agent, model, project, state, batch, parent, single } = filter;
	const equal = Object.entries(defined({ agent, model, cwd: project, state, batch }));
	const below = parent === undefined ? undefined : listBelow(runs, parent);
	return runs.filter(
		(run) =>
			equal.every(([name, value]) => run[name as keyof RunSummary] === value) &&
			(below === undefined || below.has(run.runId)) &&
			(!single || run.batch === undefined) &&
			hasWords(run, words),
	);
}

function listBelow(runs: readonly RunSummary[], parent: string): ReadonlySet<string> {
	const children = groupBy(runs, (run) => run.parent);
	const found = new Set<string>();
	for (let parents = [parent]; parents.length > 0; ) {
		const level = parents
			.flatMap((name) => children.get(name) ?? [])
			.filter(({ runId }) => !found.has(runId));
		for (const { runId } of level) found.add(runId);
		parents = level.map(({ runId }) => `run:${runId}`);
	}
	return found;
}

function hasWords(run: RunSummary, words: readonly string[]): boolean {
	if (words.length === 0) return true;
	const { agent, model, cwd, task, error, code, runId, sessionId, state } = run;
	const text = [agent, model, cwd, task, error, code, runId, sessionId, state].join("\n").toLowerCase();
	return words.every((word) => text.includes(word));
}
