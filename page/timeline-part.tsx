import type { RunDetail } from "../src/runs/transcript.ts";
import { costOf, durationOf, nameOf } from "./parts.tsx";

interface Span {
	readonly name: string;
	readonly kind: string;
	readonly from: number;
	readonly to: number;
	readonly note: string;
}

const MAX_SPANS = 60;

/** Where the time went: each answer of the model and each call as a bar. */
export function TimelinePart({ run }: { readonly run: RunDetail }) {
	const start = Date.parse(run.startedAt);
	const now =
		run.durationMs === undefined
			? Math.max(...run.entries.map(({ at }) => at), start + 1)
			: start + run.durationMs;
	const spans = collectSpans(run, start, now);
	const end = Math.max(now, ...spans.map(({ to }) => to));
	const whole = Math.max(1, end - start);
	if (spans.length < 2) return null;
	return (
		<section>
			<h2>Time</h2>
			<ol class="timeline">
				{spans.slice(0, MAX_SPANS).map((span, index) => (
					<li key={`${index}${span.name}`}>
						<span class="label">{span.name}</span>
						<span class="track" aria-hidden="true">
							<span
								class={span.kind}
								style={{
									left: `${(Math.max(0, span.from - start) / whole) * 100}%`,
									width: `${(Math.max(0, span.to - span.from) / whole) * 100}%`,
								}}
							/>
						</span>
						<span class="figure">{span.note}</span>
					</li>
				))}
			</ol>
			{spans.length > MAX_SPANS && <p class="quiet">{spans.length - MAX_SPANS} more are not drawn.</p>}
		</section>
	);
}

function collectSpans(run: RunDetail, start: number, now: number): readonly Span[] {
	const turns = run.turns.map(
		({ at, endedAt, model, usage }, index): Span => ({
			name: `turn ${index + 1}${model ? ` · ${nameOf(model)}` : ""}`,
			kind: "turn",
			from: at,
			to: endedAt,
			note: [
				durationOf(endedAt - at),
				...(usage.output > 0 ? [`${usage.input} in, ${usage.output} out`] : []),
				...(usage.cost > 0 ? [costOf(usage.cost)] : []),
			].join(" · "),
		}),
	);
	const calls = run.entries.flatMap((entry): readonly Span[] => {
		if (entry.kind !== "call") return [];
		const to = entry.endedAt ?? now;
		return [
			{
				name: entry.name,
				kind: entry.isError ? "call error" : "call",
				from: entry.at,
				to,
				note: durationOf(to - entry.at),
			},
		];
	});
	const askedAt = turns[0]?.from ?? start;
	const boot = { name: "start", kind: "start", from: start, to: askedAt, note: durationOf(askedAt - start) };
	return [boot, ...turns, ...calls].sort((left, right) => left.from - right.from || right.to - left.to);
}
