import { formatCount } from "@deputize/ground";
import type { ExtensionContext } from "@earendil-works/pi-coding-agent";
import { formatCost } from "../../../../commands/format-figures.ts";
import { describeElapsed } from "../render/draw-running.ts";
import type { SessionRun, SessionRuns } from "../session-runs.ts";

const STATUS_KEY = "deputize-background";
const CLOCK_MS = 1000;

/** A line below the editor for as long as agents of this session are at work in the background. */
export function createBackgroundStatus(
	runs: Pick<SessionRuns, "list" | "watch">,
	{ ui }: Pick<ExtensionContext, "ui">,
) {
	let clock: NodeJS.Timeout | undefined;
	let shown: string | undefined;
	const show = (): void => {
		const text = describeBackground(runs.list(), Date.now());
		if (text === shown) return;
		shown = text;
		ui.setStatus(STATUS_KEY, text);
		if (text === undefined) {
			clearInterval(clock);
			clock = undefined;
		} else clock ??= setInterval(show, CLOCK_MS).unref();
	};
	const stopWatching = runs.watch(show);
	return {
		/** How many lines it takes of the screen. */
		countLines: (): number => (shown === undefined ? 0 : 1),
		close(): void {
			stopWatching();
			clearInterval(clock);
		},
	};
}

export type BackgroundStatus = ReturnType<typeof createBackgroundStatus>;

/** How many, since when, and what they have spent. */
export function describeBackground(runs: readonly SessionRun[], now: number): string | undefined {
	const working = runs.filter(({ isDetached, result }) => isDetached && result === undefined);
	if (working.length === 0) return undefined;
	const startedAt = Math.min(...working.map((run) => run.startedAt));
	const cost = working.reduce((sum, { update }) => sum + (update?.details.streaming?.usage.cost ?? 0), 0);
	return [
		`${formatCount(working.length, "agent")} in the background`,
		describeElapsed({ startedAt, now }),
		...formatCost(cost),
	].join(" · ");
}
