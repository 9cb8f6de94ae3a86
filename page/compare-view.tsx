import { costOf, durationOf, Facts, Output, State, Time, tokensOf, Waiting } from "./parts.tsx";
import { useRun } from "./run-view.tsx";
import { TranscriptPart } from "./transcript-part.tsx";

/** Two runs beside each other. */
export function CompareView({ runIds }: { readonly runIds: readonly [string, string] }) {
	return (
		<>
			<h1>Two runs</h1>
			<div class="pair">
				{runIds.map((runId) => (
					<Side key={runId} runId={runId} />
				))}
			</div>
		</>
	);
}

function Side({ runId }: { readonly runId: string }) {
	const { value: run, error } = useRun(runId);
	if (!run) return <Waiting error={error} />;
	return (
		<article>
			<h2>
				<a href={`#/run/${runId}`}>{run.agent}</a> <State state={run.state} word />
			</h2>
			<Facts
				facts={[
					["Started", <Time at={run.startedAt} />],
					["Time", durationOf(run.durationMs)],
					["Cost", costOf(run.usage?.cost)],
					["Tokens", tokensOf(run)],
					["Turns", run.usage?.turns ?? run.turns.length],
					["Calls", run.entries.filter(({ kind }) => kind === "call").length],
					["Model", run.model],
				]}
			/>
			{run.error && <p class="problem">{run.error}</p>}
			<TranscriptPart run={run} search="" />
			<Output run={run} />
		</article>
	);
}
