import { useRef, useState } from "preact/hooks";
import { cutBetweenWords } from "../packages/ground/text/cut-text.ts";
import { finishSteps } from "../packages/ground/waiting/run-steps.ts";
import { formatUsage } from "../src/commands/format-figures.ts";
import { addUsage, NO_USAGE } from "../src/contract/usage.ts";
import type { RunEvent } from "../src/journal/run-event.ts";
import type { RunSummary } from "../src/runs/run-summary.ts";
import type { RunDetail } from "../src/runs/transcript.ts";
import { transcriptOfEvents } from "../src/runs/transcript-of-events.ts";
import type { SessionWords } from "../src/runs/words-of-session.ts";
import { durationOf, Facts, Filters, hrefOf, Output, State, Time, Waiting } from "./parts.tsx";
import { TimelinePart } from "./timeline-part.tsx";
import { TranscriptPart } from "./transcript-part.tsx";
import { useAnswer, useLive } from "./use-answer.ts";

export function RunView({ runId }: { readonly runId: string }) {
	const run = useRun(runId);
	if (!run.value) return <Waiting error={run.error} />;
	return (
		<article>
			<RunHead run={run.value} exportAddress={`export/${runId}.html`} />
			<RunBody run={run.value} />
		</article>
	);
}

/** A run as it is now: while it goes on, its events are added as they come. */
export function useRun(runId: string): { readonly value?: RunDetail; readonly error?: string | undefined } {
	const { value, error, reload } = useAnswer<RunDetail>(`api/run/${runId}`);
	const [events, setEvents] = useState<readonly RunEvent[]>([]);
	useLive(reload, runId, (more) => {
		// After a lost connection all events come again.
		setEvents((before) => [
			...(more[0]?.type === "start" ? [] : before.filter(({ type }) => type !== "writing")),
			...more,
		]);
		// What a tool answered and what the model thought is not in the events.
		if (more.some(({ type }) => /message|result|end/.test(type))) reload();
	});
	if (!value) return { error };
	return { value: value.state === "running" && events.length > 0 ? addEvents(value, events) : value };
}

function addEvents(run: RunDetail, events: readonly RunEvent[]): RunDetail {
	// An answer of the server has what only the session has.
	const words: SessionWords = {
		result: (id) =>
			run.entries.filter((entry) => entry.kind === "call").find((call) => call.id === id)?.result,
		thought: (time) =>
			run.entries.filter((entry) => entry.kind === "thinking").find(({ at }) => at === time)?.text,
	};
	const usage = events.reduce(
		(sum, event) => ("usage" in event ? addUsage(sum, event.usage) : sum),
		NO_USAGE,
	);
	const { entries, turns } = finishSteps(transcriptOfEvents(events, words));
	return { ...run, entries, turns, usage };
}

const MAX_TITLE_CHARS = 160;

/** What was asked and what came of it, then how it went. */
export function RunHead({
	run,
	exportAddress,
}: {
	readonly run: RunDetail;
	readonly exportAddress?: string;
}) {
	const { parent, batch, task = "" } = run;
	const title = cutBetweenWords(task.split("\n")[0] ?? "", MAX_TITLE_CHARS);
	/** An exported file leads nowhere. */
	const link = (href: string, text: string) => (exportAddress ? <a href={href}>{text}</a> : text);
	return (
		<header class="head">
			<p class="who">
				<b>{run.agent}</b> <State state={run.state} word />
			</p>
			<h1>{title || run.agent}</h1>
			{task !== title && <p class="words">{task}</p>}
			{run.error && (
				<p class="problem" role="alert">
					{run.code && <b>{run.code} </b>}
					{run.error}
				</p>
			)}
			<Output run={run} />
			<p class="tools">
				{exportAddress && (
					<a class="button" href={exportAddress} download>
						Export as HTML
					</a>
				)}
			</p>
			<Facts
				facts={[
					["Started", <Time at={run.startedAt} />],
					["Time", run.state === "running" ? "running" : durationOf(run.durationMs)],
					["Spent", formatUsage(run.usage ?? NO_USAGE).join(" · ") || "–"],
					["Model", run.model],
					["Project", run.cwd],
					["Runtime", run.runtime],
					["Run", run.runId],
					["Session", run.sessionId],
					["Asked by", parent && link(hrefOf(parent), parent)],
					["Batch", batch && link(`#/batch/${batch}`, batch.slice(0, 8))],
				]}
			/>
			<Related title="Runs it started" runs={run.children} />
			<Related title="Other runs of its session" runs={run.sameSession} />
		</header>
	);
}

function Related({ title, runs }: { readonly title: string; readonly runs: readonly RunSummary[] }) {
	if (runs.length === 0) return null;
	return (
		<p>
			{title}:{" "}
			{runs.map(({ runId, agent, state }) => (
				<a key={runId} class="chip" href={`#/run/${runId}`}>
					<State state={state} /> {agent} {runId}
				</a>
			))}
		</p>
	);
}

export function RunBody({ run }: { readonly run: RunDetail }) {
	const [search, setSearch] = useState("");
	const found = useRef(-1);
	const place = useRef<HTMLElement>(null);
	const next = (step: number) => {
		const marks = [...(place.current?.querySelectorAll("mark") ?? [])];
		if (marks.length === 0) return;
		found.current = (found.current + step + marks.length) % marks.length;
		for (const [index, mark] of marks.entries()) mark.classList.toggle("now", index === found.current);
		marks[found.current]?.scrollIntoView({ block: "center" });
	};
	return (
		<>
			<TimelinePart run={run} />
			<section ref={place}>
				<h2>Transcript</h2>
				<Filters
					label="Search in the transcript"
					onSubmit={() => next(1)}
					onInput={(text) => {
						found.current = -1;
						setSearch(text);
					}}
				>
					<button type="button" onClick={() => next(-1)}>
						Previous
					</button>
					<button type="submit">Next</button>
				</Filters>
				<TranscriptPart run={run} search={search} />
			</section>
		</>
	);
}
