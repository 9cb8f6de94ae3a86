import { useEffect, useState } from "preact/hooks";
import type { BatchTaskLine, BatchView } from "../src/viewer/read-batch-view.ts";
import type { BatchLine } from "../src/viewer/read-batches.ts";
import { Choice, costOf, durationOf, Facts, Filters, Heads, Pages, State, Time, Waiting } from "./parts.tsx";
import { useLiveAnswer } from "./use-answer.ts";

const LOOK_AGAIN_MS = 2000;

/** While something runs, its output is looked at again now and then. */
function useRefresh(isRunning: boolean, reload: () => void): void {
	useEffect(() => {
		if (!isRunning) return;
		const timer = setInterval(reload, LOOK_AGAIN_MS);
		return () => clearInterval(timer);
	}, [isRunning, reload]);
}

export function BatchesView() {
	const { value, error, reload } = useLiveAnswer<readonly BatchLine[]>("api/batches");
	useRefresh(value?.some(({ isRunning }) => isRunning) ?? false, reload);
	if (!value) return <Waiting error={error} />;
	if (value.length === 0)
		return (
			<p class="empty">
				No batches yet. Try: <code>deputize batch --help</code>
			</p>
		);
	return (
		<ul class="batches">
			{value.map((batch) => (
				<li key={batch.id}>
					<a href={`#/batch/${batch.id}`}>
						<b>{batch.template ?? batch.name}</b> <span class="quiet">{batch.output}</span>
					</a>
					<Progress batch={batch} />
				</li>
			))}
		</ul>
	);
}

function Progress({ batch }: { readonly batch: BatchLine }) {
	const { total, done, failed, missing, isRunning, isPaused, spentUsd, startedAt, name } = batch;
	const share = (count: number) => ({ width: `${(count / Math.max(1, total)) * 100}%` });
	const state = isRunning ? (isPaused ? "paused" : "running") : missing > 0 ? "stopped" : "complete";
	return (
		<div class="progress">
			<div
				class="bar wide"
				role="progressbar"
				aria-label={`Progress of ${name}`}
				aria-valuemin={0}
				aria-valuemax={total}
				aria-valuenow={done + failed}
			>
				<span class="done" style={share(done)} />
				<span class="failed" style={share(failed)} />
			</div>
			<p class="quiet">
				{state} · {done + failed} of {total} · {done} done
				{failed > 0 && <b class="problem"> · {failed} failed</b>}
				{missing > 0 && ` · ${missing} to go`} · {costOf(spentUsd)} · started <Time at={startedAt} />
			</p>
		</div>
	);
}

export function BatchPage({ id }: { readonly id: string }) {
	const [status, setStatus] = useState("");
	const [text, setText] = useState("");
	const [page, setPage] = useState(0);
	const query = new URLSearchParams({ status, text, page: `${page}` });
	const { value, error, reload } = useLiveAnswer<BatchView>(`api/batch/${id}?${query}`);
	useRefresh(value?.isRunning ?? false, reload);
	if (!value) return <Waiting error={error} />;
	return (
		<article>
			<h1>{value.template ?? value.name}</h1>
			<p class="quiet">{value.output}</p>
			<Progress batch={value} />
			<Facts facts={listFacts(value)} />
			{value.running.length > 0 && (
				<p>
					Running:{" "}
					{value.running.map((run) => (
						<a key={run.runId} class="chip" href={`#/run/${run.runId}`}>
							<State state="running" /> {run.task}
						</a>
					))}
				</p>
			)}
			{value.failures.length > 0 && (
				<section>
					<h2>Failures</h2>
					<ul class="failures">
						{value.failures.map(({ code, cause, count, example }) => (
							<li key={`${code}${cause}`}>
								<b>
									{count} × {code}
									{cause && ` (${cause})`}
								</b>
								<p class="words">{example}</p>
							</li>
						))}
					</ul>
				</section>
			)}
			<section>
				<h2>Tasks</h2>
				<Filters
					label="Search tasks"
					onInput={(next) => {
						setPage(0);
						setText(next);
					}}
				>
					<Choice
						label="Status"
						value={status}
						options={["done", "failed"]}
						onChange={(next) => {
							setPage(0);
							setStatus(next);
						}}
					/>
					<span class="quiet">{value.matching} finished</span>
				</Filters>
				<table class="runs">
					<caption class="hidden">Finished tasks, newest first</caption>
					<Heads names={["Task", "Agent", "#Time", "#Cost"]} />
					<tbody>
						{value.tasks.map((task, index) => (
							<tr key={`${index}${task.id}`}>
								<td class="name">
									{task.runId ? (
										<a class="row" href={`#/run/${task.runId}`}>
											<Task task={task} />
										</a>
									) : (
										<Task task={task} />
									)}
								</td>
								<td>{task.agent}</td>
								<td class="figure">{durationOf(task.durationMs)}</td>
								<td class="figure">{costOf(task.costUsd)}</td>
							</tr>
						))}
					</tbody>
				</table>
				<Pages page={value.page} pages={value.pages} go={setPage} />
			</section>
		</article>
	);
}

function listFacts(batch: BatchView): readonly (readonly [string, string | undefined])[] {
	const { agents, models, perMinute, restMs, p50Ms, p95Ms, costPerTaskUsd, missing } = batch;
	return [
		["Agent", agents.join(", ") || undefined],
		["Model", models.join(", ") || undefined],
		["Rate", perMinute ? `${perMinute.toFixed(1)} a minute` : undefined],
		["Left", restMs !== undefined && missing > 0 ? durationOf(restMs) : undefined],
		["Half of the tasks within", p50Ms === undefined ? undefined : durationOf(p50Ms)],
		["95 of 100 within", p95Ms === undefined ? undefined : durationOf(p95Ms)],
		["Cost of a task", costPerTaskUsd ? costOf(costPerTaskUsd) : undefined],
	];
}

function Task({ task }: { readonly task: BatchTaskLine }) {
	return (
		<>
			<State state={task.status} />
			<b>{task.id}</b> <span class={task.status === "failed" ? "problem" : "task"}>{task.words}</span>
		</>
	);
}
