import { type CommandContext, createCommandContext } from "../../commands/command-context.ts";
import { formatDuration, formatUsage } from "../../commands/format-figures.ts";
import { spellState } from "../../commands/show-run.ts";
import { renderCall } from "../../delegation/render-activity.ts";
import { messageOf } from "../../errors/message-of.ts";
import type { RunEvent } from "../../journal/run-event.ts";
import { readRuns } from "../../runs/read-runs.ts";
import type { RunSummary } from "../../runs/run-summary.ts";
import { watchRun } from "../../runs/watch-run.ts";
import { cutText } from "../../text/cut-text.ts";
import { stripControlSequences } from "../../text/strip-control-sequences.ts";
import { toOneLine } from "../../text/to-one-line.ts";
import { sleep } from "../../waiting/sleep.ts";
import type { CommandHelp } from "./command-row.ts";
import { parseCommandLine } from "./parse-command-line.ts";
import { selectNamedRun } from "./show-command.ts";

const REFRESH_MS = 1000;
const SHOWN_RUNS = 20;
const DEFAULT_COLUMNS = 100;
const INTERRUPTED = 130;

export const WATCH_HELP: CommandHelp = {
	usage: ["watch", "watch <run or session>"],
	examples: [
		["deputize watch", "what runs now and what ran last, until Ctrl-C"],
		["deputize watch 3f2a91c0", "every step of one run as it comes"],
	],
	options: {},
};

/** `deputize watch [<run or session>]`: what runs on this machine now, or one run as it goes on. Ctrl-C ends the watching only. */
export async function runWatchCommand(argv: readonly string[]): Promise<number> {
	const stop = new AbortController();
	const interrupt = (): void => stop.abort();
	process.once("SIGINT", interrupt);
	try {
		const { positionals } = parseCommandLine(argv, {}, { allowPositionals: true });
		const context = createCommandContext({ cwd: process.cwd() });
		if (positionals.length > 0)
			return await followRun(selectNamedRun("watch", positionals, context), context, stop.signal);
		await watchAll(context, stop.signal);
		return 0;
	} catch (error) {
		(await import("./show-error.ts")).showError("deputize watch", messageOf(error));
		return 2;
	} finally {
		process.off("SIGINT", interrupt);
	}
}

/** A list that is drawn over itself in a terminal; elsewhere it is printed once. */
async function watchAll({ surroundings }: CommandContext, signal: AbortSignal): Promise<void> {
	const draw = (): readonly string[] => {
		const runs = readRuns(surroundings.agentDirectory, { single: true });
		const running = runs.filter(({ state }) => state === "running");
		const ended = runs.filter(({ state }) => state !== "running").slice(0, SHOWN_RUNS - running.length);
		const shown = [...running, ...ended].map(renderRunLine);
		return [`${running.length} at work`, "", ...(shown.length > 0 ? shown : ["Nothing ran yet."])];
	};
	let height = 0;
	const show = (): void => {
		const columns = process.stdout.columns || DEFAULT_COLUMNS;
		const lines = draw().map((line) => cutText(line, columns - 1));
		const up = height > 0 ? `\u001b[${height}A\u001b[0J` : "";
		height = lines.length;
		process.stdout.write(`${up}${lines.join("\n")}\n`);
	};
	show();
	while (process.stdout.isTTY && !signal.aborted) {
		await sleep(REFRESH_MS, signal);
		if (!signal.aborted) show();
	}
}

function renderRunLine(run: RunSummary): string {
	const elapsedMs = run.durationMs ?? Math.max(0, Date.now() - Date.parse(run.startedAt));
	const facts = [
		...(run.state === "lost" ? ["lost"] : [spellState(run.state)]),
		...(run.state === "lost" ? [] : [formatDuration(elapsedMs)]),
		...(run.usage ? formatUsage(run.usage) : []),
		...(run.model ? [run.model] : []),
	];
	const mark = run.state === "running" ? "●" : run.state === "done" ? "✓" : "✗";
	return toOneLine(`${mark} ${run.runId} ${run.agent}: ${facts.join(" · ")}: ${run.task ?? ""}`);
}

/** Every event as a line of its own, from the beginning to the end. */
async function followRun(
	run: RunSummary,
	{ surroundings }: CommandContext,
	signal: AbortSignal,
): Promise<number> {
	const names = new Map<string, string>();
	const end = await watchRun({
		agentDirectory: surroundings.agentDirectory,
		runId: run.runId,
		signal,
		onEvents(events) {
			const lines = events.flatMap((event) => describeEvent(event, names));
			if (lines.length > 0) process.stdout.write(`${lines.map(stripControlSequences).join("\n")}\n`);
		},
	});
	if (end === "lost") process.stdout.write("lost: the process that ran it is gone\n");
	if (end === "missing") process.stdout.write(`Nothing was kept of it. Try: deputize show ${run.runId}\n`);
	return end === "aborted" ? INTERRUPTED : 0;
}

function describeEvent(event: RunEvent, names: Map<string, string>): readonly string[] {
	switch (event.type) {
		case "start":
			return [`● ${event.start.name}: ${toOneLine(event.task)}`];
		case "call":
			names.set(event.id, event.name);
			return [`▸ ${renderCall(event.name, event.args)}`];
		case "result":
			return event.isError ? [`✗ ${names.get(event.id) ?? "a tool"} failed`] : [];
		case "message":
			return [...(event.text ? [event.text] : []), ...(event.error ? [`! ${event.error}`] : [])];
		case "instruction":
			return [`! The user wrote: ${event.text}`];
		case "backoff":
			return ["! The provider failed; it is asked again after a pause."];
		case "correction":
			return ["! Sent back: the result had not been handed over."];
		case "attempt":
			return ["! Tried again with a new process."];
		case "end":
			return [
				...(event.output ? ["", event.output, ""] : []),
				[
					event.ok ? "✓ done" : `✗ ${event.error ?? event.code ?? "failed"}`,
					formatDuration(event.durationMs),
					...formatUsage(event.usage),
				].join(" · "),
			];
		default:
			return [];
	}
}
