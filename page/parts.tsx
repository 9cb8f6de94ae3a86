import type { ComponentChildren } from "preact";
import { formatCost, formatDuration, formatTokens } from "../src/commands/format-figures.ts";
import type { RunState, RunSummary } from "../src/runs/run-summary.ts";
import type { RunDetail } from "../src/runs/transcript.ts";

/** A mark with a shape and a name, so that nothing depends on color. */
export function State({ state, word }: { readonly state: RunState; readonly word?: boolean }) {
	return (
		<span class={`state ${state}`} title={state}>
			<i aria-hidden="true" />
			<span class={word ? "" : "hidden"}>{state === "lost" ? "lost: its process is gone" : state}</span>
		</span>
	);
}

export function Time({ at }: { readonly at: string | number }) {
	const date = new Date(at);
	const isToday = date.toDateString() === new Date().toDateString();
	const day = { month: "short", day: "numeric", hour: "2-digit", minute: "2-digit" } as const;
	return (
		<time dateTime={date.toISOString()}>
			{date.toLocaleString([], isToday ? { timeStyle: "medium" } : day)}
		</time>
	);
}

export const costOf = (dollars: number | undefined): string => formatCost(dollars ?? 0)[0] ?? "–";
export const tokensOf = ({ usage }: Pick<RunSummary, "usage">): string =>
	(usage && formatTokens(usage)[0]?.replace(" tokens", "")) || "–";
export const durationOf = (milliseconds: number | undefined): string =>
	milliseconds === undefined ? "–" : formatDuration(milliseconds);
/** Where to see who asked for a run. */
export const hrefOf = (parent: string): string =>
	parent.startsWith("run:") ? `#/run/${parent.slice(4)}` : `#/by/${encodeURIComponent(parent)}`;
/** The last part of a path. */
export const nameOf = (path: string | undefined): string => path?.split("/").filter(Boolean).at(-1) ?? "–";

export function Pages(props: {
	readonly page: number;
	readonly pages: number;
	readonly go: (page: number) => void;
}) {
	const { page, pages, go } = props;
	if (pages < 2) return null;
	return (
		<nav class="pages" aria-label="Pages">
			<button type="button" disabled={page === 0} onClick={() => go(page - 1)}>
				← Newer
			</button>
			<span>
				{page + 1} of {pages}
			</span>
			<button type="button" disabled={page + 1 >= pages} onClick={() => go(page + 1)}>
				Older →
			</button>
		</nav>
	);
}

export function Choice(props: {
	readonly label: string;
	readonly value: string;
	readonly options: readonly string[];
	readonly onChange: (value: string) => void;
}) {
	return (
		<select
			aria-label={props.label}
			value={props.value}
			onChange={(event) => props.onChange(event.currentTarget.value)}
		>
			<option value="">{props.label}: all</option>
			{props.options.map((option) => (
				<option key={option} value={option}>
					{option}
				</option>
			))}
		</select>
	);
}

/** Filters of a list or a text, with a search field that `/` focuses. */
export function Filters(props: {
	readonly label: string;
	readonly onInput: (text: string) => void;
	readonly onSubmit?: () => void;
	readonly children: ComponentChildren;
}) {
	const { label, onInput, onSubmit, children } = props;
	return (
		// biome-ignore lint/a11y/useSemanticElements: a form inside a search element would be two for one
		<form
			class="filters"
			role="search"
			onSubmit={(event) => {
				event.preventDefault();
				onSubmit?.();
			}}
		>
			<input
				type="search"
				aria-label={label}
				placeholder={`${label}  ( / )`}
				onInput={(event) => onInput(event.currentTarget.value)}
			/>
			{children}
		</form>
	);
}

/** By which column a table is sorted, such as `Cost`, or `-Cost` from the greatest on; empty as it comes. */
export interface Sorting {
	readonly by: string;
	readonly change: (by: string) => void;
}

/** The first row of a table. Names of figures begin with a `#`; where it is sorted, each is a button. */
export function Heads({ names, sorting }: { readonly names: readonly string[]; readonly sorting?: Sorting }) {
	return (
		<thead>
			<tr>
				{names.map((head) => {
					const name = head.replace("#", "");
					const order = { [name]: "ascending", [`-${name}`]: "descending" } as const;
					return (
						<th
							key={head}
							scope="col"
							class={head.startsWith("#") ? "figure" : ""}
							aria-sort={order[sorting?.by ?? ""] ?? "none"}
						>
							{sorting && name ? (
								<button type="button" onClick={() => sorting.change(nextOrder(head, sorting.by))}>
									{name}
								</button>
							) : (
								name
							)}
						</th>
					);
				})}
			</tr>
		</thead>
	);
}

/** Figures from the greatest on first, words from A; then the other way round, then as it comes. */
function nextOrder(head: string, by: string): string {
	const name = head.replace("#", "");
	const orders = head.startsWith("#") ? [`-${name}`, name, ""] : [name, `-${name}`, ""];
	return orders[orders.indexOf(by) + 1] ?? orders[0] ?? "";
}

export function Output({ run }: { readonly run: RunDetail }) {
	if (!run.output) return null;
	return (
		<div class="output">
			<h3>{run.state === "done" ? "Handed over" : "Left unfinished"}</h3>
			<p class="words">{run.output}</p>
		</div>
	);
}

/** What is not known is left out. */
export function Facts({ facts }: { readonly facts: readonly (readonly [string, ComponentChildren])[] }) {
	return (
		<dl class="facts">
			{facts.map(
				([name, value]) =>
					value !== undefined && (
						<div key={name}>
							<dt>{name}</dt>
							<dd>{value}</dd>
						</div>
					),
			)}
		</dl>
	);
}

export function Waiting({ error }: { readonly error?: string | undefined }) {
	return <p class={error ? "problem" : "quiet"}>{error ?? "Loading…"}</p>;
}
