import { existsSync } from "node:fs";
import { hostname } from "node:os";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { cleanOutsideText, defined } from "@deputize/ground";
import type { DelegationResult } from "../../contract/result.ts";
import { noteChanges } from "../../delegation/to-result-changes.ts";
import { renderMarkdown } from "./render-markdown.ts";
import { chooseStyle } from "./terminal-style.ts";

/**
 * The answer goes to stdout, whatever went wrong to stderr: partial work can be piped on like a whole one. On a terminal
 * its Markdown is rendered; anything else gets it as it was written.
 */
export function showResult(result: DelegationResult, cwd: string, isAnswerShown: boolean): void {
	if (!isAnswerShown) showAnswer(result.details.results[0]?.output ?? "", cwd);
	const { error, sessionId, changes } = result.details;
	if (changes)
		for (const line of noteChanges(changes).join("\n").split("\n"))
			process.stderr.write(`deputize: ${cleanOutsideText(line)}\n`);
	if (!error) return;
	process.stderr.write(`deputize: ${cleanOutsideText(error.message)}\n`);
	if (result.isError && sessionId && result.details.results[0]?.sessionFile) {
		process.stderr.write(`deputize: to continue where it stopped, add: --session ${sessionId}\n`);
	}
}

export function showAnswer(answer: string, cwd: string): void {
	const output = answer.trimEnd();
	if (output) process.stdout.write(`${styleAnswer(output, cwd)}\n`);
}

function styleAnswer(answer: string, cwd: string): string {
	// On a terminal what follows a carriage return would cover what is before it.
	const output = process.stdout.isTTY ? cleanOutsideText(answer) : answer;
	if (!chooseStyle(process.stdout, process.env).isRich) return output;
	return renderMarkdown(output, { findAddress: (place) => findPlaceAddress(place, cwd) });
}

/** For scripts: the answer once, and what they decide by. */
export function toSlimResult({ details, isError }: DelegationResult) {
	const single = details.results[0];
	const data = details.finalized?.data;
	return defined({
		status: isError ? "ERROR" : "SUCCESS",
		agent: single?.agent,
		// After a failure what there was until then; replaced by the data of an agent that declares an `output` schema.
		output: data === undefined ? single?.output : undefined,
		data,
		changes: details.changes,
		sessionId: details.sessionId,
		model: single?.model,
		usage: single?.usage,
		error: details.error,
	});
}

const PLACE = /^([^\s:*?"<>|]+?)(?::(\d+)(?:-\d+)?)?$/;

/** For a terminal that opens links: the file of a place such as `src/main.ts:12`, when it is there. */
function findPlaceAddress(place: string, cwd: string): string | undefined {
	const [, path, line] = PLACE.exec(place) ?? [];
	if (path === undefined || !/[./]/.test(path)) return undefined;
	const file = resolve(cwd, path);
	if (!existsSync(file)) return undefined;
	const address = pathToFileURL(file);
	// Without the host some terminals take the file for one on the machine they run on, not on the one they show.
	address.hostname = hostname();
	return line === undefined ? address.href : `${address.href}#L${line}`;
}
