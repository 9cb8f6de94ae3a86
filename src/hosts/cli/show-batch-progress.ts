import { cutToCells } from "@deputize/ground";
import type { BatchProgress } from "../../batch/batch-progress.ts";
import { renderBatchLine } from "./render-batch.ts";
import { redactLine } from "./show-error.ts";
import { chooseStyle, type Screen } from "./terminal-style.ts";

interface BatchDisplay {
	show(progress: BatchProgress): void;
	/** A line that stays. */
	note(line: string): void;
	/** Takes the live line away. Idempotent. */
	clear(): void;
}

const REDRAW_MS = 250;
/** A log file gets a line this often, and only when something changed. */
const LOG_MS = 10_000;
const DEFAULT_COLUMNS = 80;

/** One live line on a terminal; now and then a plain one anywhere else. */
export function createBatchDisplay(stream: Screen, quiet: boolean): BatchDisplay {
	if (quiet) return { show: () => undefined, note: () => undefined, clear: () => undefined };
	return chooseStyle(stream, process.env).isLive ? createLiveLine(stream) : createLogLines(stream);
}

function createLiveLine(stream: Screen): BatchDisplay {
	let latest: BatchProgress | undefined;
	const draw = (): void => {
		if (latest === undefined) return;
		const line = cutToCells(
			`● ${renderBatchLine(latest, Date.now())}`,
			(stream.columns || DEFAULT_COLUMNS) - 1,
		);
		stream.write(`\r\x1b[2K${line}`);
	};
	const timer = setInterval(draw, REDRAW_MS).unref();
	return {
		show(progress) {
			latest = progress;
		},
		note(line) {
			stream.write(`\r\x1b[2K${redactLine(line)}\n`);
			draw();
		},
		clear() {
			clearInterval(timer);
			if (latest !== undefined) stream.write("\r\x1b[2K");
			latest = undefined;
		},
	};
}

function createLogLines(stream: Screen): BatchDisplay {
	let latest: BatchProgress | undefined;
	let shown = "";
	const timer = setInterval(() => {
		const line = latest === undefined ? "" : renderBatchLine(latest, Date.now());
		if (line !== shown) stream.write(`${line}\n`);
		shown = line;
	}, LOG_MS).unref();
	return {
		show(progress) {
			latest = progress;
		},
		note: (line) => stream.write(`${redactLine(line)}\n`),
		clear: () => clearInterval(timer),
	};
}
