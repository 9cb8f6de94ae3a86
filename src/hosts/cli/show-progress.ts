import type { DelegationResult, DelegationUpdate } from "../../contract/result.ts";
import { renderFailedSteps, renderFinished, renderLive, renderSteps } from "./render-progress.ts";
import { redactLine } from "./show-error.ts";
import { chooseStyle, type Screen } from "./terminal-style.ts";

/** What a run shows while it works: one block that is redrawn on a terminal, plain lines anywhere else. */
export interface Progress {
	show(update: DelegationUpdate): void;
	/** A line that stays. */
	note(line: string): void;
	/** Leaves the terminal to a question until it is answered. */
	stepAside<Answer>(question: () => Promise<Answer>): Promise<Answer>;
	finish(result: DelegationResult): void;
	/** Takes the live block away, whatever happened. Idempotent. */
	clear(): void;
}

const REDRAW_MS = 250;
const DEFAULT_COLUMNS = 80;
const SILENT: Progress = {
	show: () => undefined,
	note: () => undefined,
	stepAside: (question) => question(),
	finish: () => undefined,
	clear: () => undefined,
};

export function createProgress(options: {
	readonly agent: string;
	readonly stream: Screen;
	readonly quiet: boolean;
	readonly now?: () => number;
}): Progress {
	if (options.quiet) return SILENT;
	const safe = { ...options, agent: redactLine(options.agent) };
	return chooseStyle(options.stream, process.env).isLive
		? createLiveProgress(safe)
		: createPlainProgress(safe);
}

function createPlainProgress({ agent, stream }: { agent: string; stream: Screen }): Progress {
	let shown: readonly string[] = [];
	let failed: readonly string[] = [];
	return {
		show(update) {
			const steps = renderSteps(agent, update);
			for (const step of listNew(shown, steps)) stream.write(`${step}\n`);
			shown = steps;
			const failures = renderFailedSteps(agent, update);
			for (const failure of listNew(failed, failures)) stream.write(`${failure}\n`);
			failed = failures;
		},
		note: (line) => stream.write(`${redactLine(line)}\n`),
		stepAside: (question) => question(),
		finish: (result) => stream.write(`${renderFinished(agent, result)}\n`),
		clear: () => undefined,
	};
}

/** An update shows the newest steps only, so the lists overlap: the new ones follow the last one already known. */
function listNew(before: readonly string[], after: readonly string[]): readonly string[] {
	const last = before.at(-1);
	return last === undefined ? after : after.slice(after.lastIndexOf(last) + 1);
}

function createLiveProgress(options: { agent: string; stream: Screen; now?: () => number }): Progress {
	const { agent, stream } = options;
	const now = options.now ?? (() => performance.now());
	const startedAt = now();
	let height = 0;
	let isAside = false;
	let latest: DelegationUpdate | undefined;
	const erase = (): string => (height === 0 ? "" : `\x1b[${height}A\x1b[0J`);
	const draw = (): void => {
		if (isAside) return;
		const lines = renderLive(agent, latest, now() - startedAt, stream.columns || DEFAULT_COLUMNS);
		stream.write(`${erase()}${lines.join("\n")}\n`);
		height = lines.length;
	};
	const clear = (): void => {
		clearInterval(timer);
		stream.write(erase());
		height = 0;
	};
	const timer = setInterval(draw, REDRAW_MS).unref();
	draw();
	return {
		show(update) {
			latest = update;
		},
		note(line) {
			stream.write(`${erase()}${redactLine(line)}\n`);
			height = 0;
			draw();
		},
		async stepAside(question) {
			stream.write(erase());
			height = 0;
			isAside = true;
			try {
				return await question();
			} finally {
				isAside = false;
			}
		},
		finish(result) {
			clear();
			stream.write(`${renderFinished(agent, result)}\n`);
		},
		clear,
	};
}
