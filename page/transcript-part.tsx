import type { RunDetail, TranscriptCall, TranscriptEntry } from "../src/runs/transcript.ts";
import { durationOf } from "./parts.tsx";

/** The text with every place that matches marked. */
export function Marked({ text, search }: { readonly text: string; readonly search: string }) {
	if (search === "") return <>{text}</>;
	const pattern = new RegExp(`(${search.replace(/[^\w\s]/g, "\\$&")})`, "gi");
	// Every second part is a match.
	return (
		<>{text.split(pattern).map((part, index) => (index % 2 ? <mark key={index}>{part}</mark> : part))}</>
	);
}

export function TranscriptPart({ run, search }: { readonly run: RunDetail; readonly search: string }) {
	const from = Date.parse(run.startedAt);
	return (
		<ol class="transcript" aria-label={`Transcript of ${run.agent} ${run.runId}`}>
			{run.entries.map((entry, index) => (
				<li
					key={`${index}${entry.kind}`}
					class={`${entry.kind}${entry.kind === "note" ? ` ${entry.note}` : ""}`}
				>
					<span class="when">{durationOf(Math.max(0, entry.at - from))}</span>
					{entry.kind === "call" ? (
						<Call call={entry} search={search} isOver={run.state !== "running"} />
					) : (
						<Words entry={entry} search={search} />
					)}
				</li>
			))}
		</ol>
	);
}

function Words(props: { readonly entry: Exclude<TranscriptEntry, TranscriptCall>; readonly search: string }) {
	const { entry, search } = props;
	const words = (
		<p class="words">
			<Marked text={entry.text} search={search} />
			{entry.kind === "text" && entry.isOpen && <span class="caret" title="still writing" />}
		</p>
	);
	if (entry.kind === "thinking")
		return (
			<details open={search !== "" && entry.text.toLowerCase().includes(search.toLowerCase())}>
				<summary>Thinking</summary>
				{words}
			</details>
		);
	return (
		<div>
			{entry.kind === "task" && <h3>Task</h3>}
			{words}
		</div>
	);
}

function Call(props: { readonly call: TranscriptCall; readonly search: string; readonly isOver: boolean }) {
	const { call, search, isOver } = props;
	const args = Object.entries(call.args);
	const line = args
		.map(([, value]) => (typeof value === "string" ? value : JSON.stringify(value)))
		.join("  ");
	const full = JSON.stringify(call.args, undefined, 2);
	const isFound = search !== "" && `${full}${call.result ?? ""}`.toLowerCase().includes(search.toLowerCase());
	const time =
		call.endedAt === undefined ? (isOver ? "no result" : "running…") : durationOf(call.endedAt - call.at);
	return (
		<details class={call.isError ? "error" : ""} open={isFound}>
			<summary>
				<b>{call.name}</b> <code>{line}</code>
				<span class="quiet">
					{call.isError && "failed · "}
					{time}
				</span>
			</summary>
			<pre title="Arguments">
				<Marked text={full} search={search} />
			</pre>
			{call.result !== undefined && (
				<pre class="result" title="Result">
					<Marked text={call.result} search={search} />
				</pre>
			)}
		</details>
	);
}
