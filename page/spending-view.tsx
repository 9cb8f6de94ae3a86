import { useState } from "preact/hooks";
import type { Spending, SpendingRow } from "../src/viewer/sum-spending.ts";
import { costOf, durationOf, Heads, Waiting } from "./parts.tsx";
import { useLiveAnswer } from "./use-answer.ts";

export function SpendingView() {
	const { value, error } = useLiveAnswer<Spending>("api/spending");
	if (!value) return <Waiting error={error} />;
	return (
		<>
			<p class="quiet">
				{value.since && `Since ${value.since}: `}
				{value.total.runs} runs · {costOf(value.total.costUsd)} · {value.total.tokens.toLocaleString("en")}{" "}
				tokens
				{value.forgotten > 0 &&
					` · of ${value.forgotten} older runs only the sums of their days are kept; they are in the total and by day`}
			</p>
			<div class="sums">
				<Sums title="Agent" rows={value.agents} />
				<Sums title="Model" rows={value.models} />
				<Sums title="Day" rows={value.days} />
				<Sums title="Project" rows={value.projects} />
			</div>
		</>
	);
}

function Sums({ title, rows: given }: { readonly title: string; readonly rows: readonly SpendingRow[] }) {
	const [by, change] = useState("");
	const rows = sortRows(given, title, by);
	const isFree = rows.every(({ costUsd }) => costUsd === 0);
	const amount = (row: SpendingRow) => (isFree ? row.runs : row.costUsd);
	const most = Math.max(...rows.map(amount));
	return (
		<table>
			<caption class="hidden">Cost by {title}</caption>
			<Heads names={[title, "#Runs", "#Failed", "#Time", "#Cost"]} sorting={{ by, change }} />
			<tbody>
				{rows.map((row) => (
					<tr key={row.name}>
						<th scope="row">
							<span class="label">{row.name}</span>
							<span class="bar" aria-hidden="true">
								<span style={{ width: `${(amount(row) / most) * 100}%` }} />
							</span>
						</th>
						<td class="figure">{row.runs}</td>
						<td class="figure">{row.failed}</td>
						<td class="figure">{durationOf(row.durationMs || undefined)}</td>
						<td class="figure">{costOf(row.costUsd)}</td>
					</tr>
				))}
			</tbody>
		</table>
	);
}

const FIGURES = { Runs: "runs", Failed: "failed", Time: "durationMs", Cost: "costUsd" } as const;

function sortRows(rows: readonly SpendingRow[], title: string, by: string): readonly SpendingRow[] {
	const name = by.replace("-", "");
	const field = name === title ? "name" : FIGURES[name as keyof typeof FIGURES];
	const sign = by.startsWith("-") ? -1 : 1;
	return field ? rows.toSorted((left, right) => (left[field] < right[field] ? -sign : sign)) : rows;
}
