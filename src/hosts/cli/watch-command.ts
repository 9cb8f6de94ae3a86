import { cutToCells, sleep, stripControlSequences, toOneLine } from "@deputize/ground";
import { type CommandContext, createCommandContext } from "../../commands/command-context.ts";
import { formatDuration, formatUsage } from "../../commands/format-figures.ts";
import { renderCall } from "../../delegation/render-activity.ts";
import type { RunEvent } from "../../journal/run-event.ts";
import { readRuns } from "../../runs/read-runs.ts";
import type { RunSummary } from "../../runs/run-summary.ts";
import { watchRun } from "../../runs/watch-run.ts";
import type { CommandHelp } from "./command-row.ts";
import { flag, parseCommandLine } from "./parse-command-line.ts";
import { selectNamedRun } from "./show-command.ts";
import { showRefusals } from "./show-refusals.ts";
import { countColumns } from "./show-report.ts";
import { chooseStyle } from "./terminal-style.ts";

const REFRESH_MS = 1000;
const SHOWN_RUNS = 20;
const INTERRUPTED = 130;

const OPTIONS = {
	json: flag("the list once as JSON, or every step of one run as a line of JSON"),
};

export const WATCH_HELP: CommandHelp = {
	usage: ["watch", "watch <run or session>"],
	examples: [
		["deputize watch", "what runs now and what ran last, until Ctrl-C"],
		["deputize watch 3f2a91c0", "every step of one run as it comes"],
	],
	options: OPTIONS,
};

/** `deputize watch [<run or session>]`: what runs on this machine now, or one run as it goes on. Ctrl-C ends the watching only. */
export function runWatchCommand(argv: readonly string[]): Promise<number> {
	const stop = new AbortController();
	const interrupt = (): void => stop.abort();
	process.once("SIGINT", interrupt);
	const { signal } = stop;
	const watching = showRefusals("deputize watch", async () => {
		const { values, positionals } = parseCommandLine(argv, OPTIONS, { allowPositionals: true });
		const isJson = values.json === true;
		const context = createCommandContext({ cwd: process.cwd() });
		if (positionals.length > 0)
			return followRun(selectNamedRun("watch", positionals, context), context, { signal, isJson });
		if (isJson) process.stdout.write(`${JSON.stringify(listRuns(context), undefined, 2)}\n`);
		else await watchAll(context, signal);
		return 0;
	});
	return watching.finally(() => process.off("SIGINT", interrupt));
}

/** Those that run, then the last that ended. */
function listRuns({ surroundings }: CommandContext): readonly RunSummary[] {
	const runs = readRuns(surroundings.agentDirectory, { single: true });
	const running = runs.filter(({ state }) => state === "running");
	const ended = runs.filter(({ state }) => state !== "running");
	return [...running, ...ended.slice(0, Math.max(0, SHOWN_RUNS - running.length))];
}

/** A list that is drawn over itself in a terminal; elsewhere it is printed once. */
async function watchAll(context: CommandContext, signal: AbortSignal): Promise<void> {
	const { isLive } = chooseStyle(process.stdout, process.env);
	const draw = (): readonly string[] => {
		const runs = listRuns(context);
		const running = runs.filter(({ state }) => state === "running").length;
		const shown = runs.map(renderRunLine);
		const head = `${running} at work${isLive ? " (Ctrl-C closes this list, nothing else)" : ""}`;
		return [head, "", ...(shown.length > 0 ? shown : ["Nothing ran yet."])];
	};
	let height = 0;
	const show = (): void => {
		const lines = draw().map((line) => cutToCells(line, countColumns() - 1));
		const up = height > 0 ? `\u001b[${height}A\u001b[0J` : "";
		height = lines.length;
		process.stdout.write(`${up}${lines.join("\n")}\n`);
	};
	show();
	while (isLive && !signal.aborted) {
		await sleep(REFRESH_MS, signal);
		if (!signal.aborted) show();
	}
}

function renderRunLine(run: RunSummary): string {
	const elapsedMs = run.durationMs ?? Math.max(0, Date.now() - Date.parse(run.startedAt));
	const facts = [
		run.state,
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
	{ signal, isJson }: { readonly signal: AbortSignal; readonly isJson: boolean },
): Promise<number> {
	const names = new Map<string, string>();
	const end = await watchRun({
		agentDirectory: surroundings.agentDirectory,
		runId: run.runId,
		signal,
		onEvents(events) {
			const lines = isJson
				? events.map((event) => JSON.stringify(event))
				: events.flatMap((event) => describeEvent(event, names));
			if (lines.length > 0) process.stdout.write(`${lines.map(stripControlSequences).join("\n")}\n`);
		},
	});
	const ending = isJson ? process.stderr : process.stdout;
	if (end === "lost") ending.write("lost: the process that ran it is gone\n");
	if (end === "missing") ending.write(`Nothing was kept of it. Try: deputize show ${run.runId}\n`);
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
