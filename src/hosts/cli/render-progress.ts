import { cutToCells, lastLine } from "@deputize/ground";
import { formatCost, formatTokens, formatUsage } from "../../commands/format-figures.ts";
import type { DelegationResult, DelegationUpdate } from "../../contract/result.ts";
import { renderActivity, renderCall, renderState, WAITING } from "../../delegation/render-activity.ts";

/** The live block has always the same height, so that it never jumps. */
export function renderLive(
	agent: string,
	update: DelegationUpdate | undefined,
	elapsedMs: number,
	columns: number,
): readonly string[] {
	const streaming = update?.details.streaming;
	const usage = streaming ? [...formatTokens(streaming.usage), ...formatCost(streaming.usage.cost)] : [];
	const head = [agent, renderState(streaming), `${(elapsedMs / 1000).toFixed(1)} s`, ...usage].join(" · ");
	const text = lastLine(update?.content[0].text ?? "");
	return [`● ${head}`, `  ${renderActivity(streaming)}`, `  ${text}`].map((line) =>
		cutToCells(line, columns - 1),
	);
}

/** One line per tool call or wait, for a log file. A fast call is over before it is seen running. */
export function renderSteps(agent: string, update: DelegationUpdate): readonly string[] {
	const streaming = update.details.streaming;
	if (streaming?.waiting) return [`${agent}: ${WAITING}`];
	return (streaming?.displayItems ?? [])
		.filter((item) => item.type === "toolCall")
		.map((item) => `${agent}: ${renderCall(item.name, item.args)}`);
}

/** Calls that failed or were refused. A call is shown when it begins, so its failure needs a line of its own. */
export function renderFailedSteps(agent: string, update: DelegationUpdate): readonly string[] {
	return (update.details.streaming?.displayItems ?? [])
		.filter((item) => item.type === "toolCall")
		.filter((item) => item.isError)
		.map((item) => `${agent}: failed: ${renderCall(item.name, item.args)}`);
}

export function renderFinished(agent: string, result: DelegationResult): string {
	const single = result.details.results[0];
	if (!single) return `✗ ${agent}: ${result.details.error?.code ?? "failed"}`;
	const cancelled = result.details.error?.cause?.kind === "cancelled";
	const mark = result.isError
		? `✗ ${agent}: ${cancelled ? "cancelled" : result.details.error?.code}`
		: `✓ ${agent}`;
	const session = single.sessionFile ? [`session ${result.details.sessionId}`] : [];
	const notGranted = single.notGranted ? [`not granted: ${single.notGranted.join(", ")}`] : [];
	const model = single.model ? [single.model] : [];
	// Otherwise only --json and doctor would say it.
	const confinement = single.confinement === "tools-only" ? ["no sandbox"] : [];
	const facts = [...model, ...formatUsage(single.usage), ...session, ...notGranted, ...confinement];
	return [mark, ...facts].join(" · ");
}
