import { useState } from "preact/hooks";
import type { RunSummary } from "../src/runs/run-summary.ts";
import type { RunPage } from "../src/viewer/select-run-page.ts";
import {
	Choice,
	costOf,
	durationOf,
	Filters,
	Heads,
	hrefOf,
	nameOf,
	Pages,
	State,
	Time,
	tokensOf,
	Waiting,
} from "./parts.tsx";
import { useLiveAnswer } from "./use-answer.ts";

const HEADS = ["", "Run", "Project", "Model", "Started", "#Time", "#Tokens", "#Cost"];
const STATES = ["running", "done", "failed", "cancelled", "lost"];

/** All runs, or those that one session or client asked for. */
export function RunsView({ parent }: { readonly parent: string }) {
	const [query, setQuery] = useState<Readonly<Record<string, string>>>({ single: "1", parent });
	const [chosen, setChosen] = useState<readonly string[]>([]);
	const filled = Object.entries(query).filter(([, value]) => value !== "");
	const { value, error } = useLiveAnswer<RunPage>(`api/runs?${new URLSearchParams(filled)}`);
	const change = (name: string) => (text: string) => setQuery({ ...query, page: "", [name]: text });
	const toggle = (runId: string) =>
		setChosen(chosen.includes(runId) ? chosen.filter((id) => id !== runId) : [...chosen.slice(-1), runId]);
	if (!value) return <Waiting error={error} />;
	const { agents, models, projects } = value.choices;
	return (
		<>
			<Filters label="Search runs" onInput={change("text")}>
				{[
					["agent", "Agent", agents] as const,
					["state", "State", STATES] as const,
					["model", "Model", models] as const,
					["project", "Project", projects] as const,
				].map(([name, label, options]) => (
					<Choice
						key={name}
						label={label}
						value={query[name] ?? ""}
						options={options}
						onChange={change(name)}
					/>
				))}
				<label>
					<input
						type="checkbox"
						checked={!query["single"]}
						onChange={(event) => change("single")(event.currentTarget.checked ? "" : "1")}
					/>
					tasks of batches
				</label>
			</Filters>
			<p class="quiet" aria-live="polite">
				{parent && `${describeParent(parent)} · `}
				{value.total} {value.total === 1 ? "run" : "runs"}
				{value.running > 0 && `, ${value.running} running`}
				{chosen.length === 2 ? (
					<a class="button" href={`#/compare/${chosen.join("/")}`}>
						Compare the two
					</a>
				) : (
					chosen.length === 1 && " · choose one more to compare"
				)}
			</p>
			<h1 class="hidden">Runs</h1>
			{value.runs.length === 0 ? (
				<p class="empty">
					No runs here yet. Try: <code>deputize run explorer "Where is the entry point?"</code>
				</p>
			) : (
				<table class="runs">
					<caption class="hidden">Runs, newest first</caption>
					<Heads names={HEADS} sorting={{ by: query["sort"] ?? "", change: change("sort") }} />
					{(query["sort"] ? toSingles(value.runs) : toFamilies(value.runs)).map(({ parent: by, runs }) => (
						<tbody key={runs[0]?.run.runId}>
							{by && (
								<tr class="parent">
									<th colSpan={8} scope="rowgroup">
										<a href={hrefOf(by)}>{describeParent(by)}</a> · {runs.length} runs ·{" "}
										{costOf(runs.reduce((sum, { run }) => sum + (run.usage?.cost ?? 0), 0))}
									</th>
								</tr>
							)}
							{runs.map(({ run, depth }) => (
								<Row
									key={run.runId}
									run={run}
									depth={depth + (by ? 1 : 0)}
									isChosen={chosen.includes(run.runId)}
									toggle={() => toggle(run.runId)}
								/>
							))}
						</tbody>
					))}
				</table>
			)}
			<Pages
				page={value.page}
				pages={value.pages}
				go={(page) => setQuery({ ...query, page: String(page) })}
			/>
		</>
	);
}

function Row(props: {
	readonly run: RunSummary;
	readonly depth: number;
	readonly isChosen: boolean;
	readonly toggle: () => void;
}) {
	const { run, depth, isChosen, toggle } = props;
	return (
		<tr class={isChosen ? "chosen" : ""}>
			<td class="pick">
				<input
					type="checkbox"
					aria-label={`Compare ${run.agent} ${run.runId}`}
					checked={isChosen}
					onChange={toggle}
				/>
			</td>
			<td class="name" style={{ paddingLeft: `${0.5 + depth * 1.25}rem` }}>
				<a class="row" href={`#/run/${run.runId}`}>
					<State state={run.state} />
					<b>{run.agent}</b> <span class="task">{run.task ?? run.error ?? run.runId}</span>
				</a>
				{run.error && run.task && <small class="problem">{run.error}</small>}
			</td>
			<td title={run.cwd}>{nameOf(run.cwd)}</td>
			<td title={run.model}>{nameOf(run.model)}</td>
			<td>
				<Time at={run.startedAt} />
			</td>
			<td class="figure">{run.state === "running" ? "…" : durationOf(run.durationMs)}</td>
			<td class="figure">{tokensOf(run)}</td>
			<td class="figure">{costOf(run.usage?.cost)}</td>
		</tr>
	);
}

interface Family {
	readonly parent?: string;
	readonly runs: readonly { readonly run: RunSummary; readonly depth: number }[];
}

/** In the order of a column nobody is below anybody. */
const toSingles = (runs: readonly RunSummary[]): readonly Family[] =>
	runs.map((run) => ({ runs: [{ run, depth: 0 }] }));

/** Runs with their own children below them; those that one session asked for are together. */
function toFamilies(runs: readonly RunSummary[]): readonly Family[] {
	const here = new Set(runs.map(({ runId }) => `run:${runId}`));
	const children = Map.groupBy(runs, ({ parent }) => parent ?? "");
	const descend = (run: RunSummary, depth: number): Family["runs"] => [
		{ run, depth },
		...(children.get(`run:${run.runId}`) ?? []).flatMap((child) => descend(child, depth + 1)),
	];
	const tops = runs.filter(({ parent }) => !here.has(parent ?? ""));
	const groups = Map.groupBy(tops, ({ parent, runId }) => parent ?? runId);
	return [...groups.values()].map((group) => {
		const parent = group[0]?.parent;
		const members = group.flatMap((run) => descend(run, 0));
		return parent && group.length > 1 ? { parent, runs: members } : { runs: members };
	});
}

function describeParent(parent: string): string {
	return parent.replace(/^pi:(.{8}).*/, "pi session $1").replace(":", " ");
}
