import { defined, expandHome, type Steps } from "@deputize/ground";
import type { Surroundings } from "../config/read-surroundings.ts";
import { createRedact, type Redact } from "../delegation/redact.ts";
import { runEventsFile } from "../journal/open-run-events.ts";
import { readRunEvents } from "../journal/read-run-events.ts";
import type { RunEvent } from "../journal/run-event.ts";
import { sessionDirectory, sessionFile, sessionsRoot } from "../sessions/session-path.ts";
import { createRunIndex, type RunIndex } from "./create-run-index.ts";
import { readSessionEntries } from "./read-session-entries.ts";
import type { RunSummary } from "./run-summary.ts";
import type { SessionEntry } from "./session-entry.ts";
import type { RunDetail, Transcript } from "./transcript.ts";
import { transcriptOfEvents } from "./transcript-of-events.ts";
import { type Showing, transcriptOfSession } from "./transcript-of-session.ts";
import { wordsOfSession } from "./words-of-session.ts";

const RUN_ID = /^[\w-]{1,64}$/;
/** Clocks and file writes are not exact to the millisecond. */
const WINDOW_MARGIN_MS = 1000;
const MAX_RELATED_RUNS = 50;

/** Everything about one run, redacted; undefined when the journal does not know it. A long transcript takes many steps. */
export function* readRunDetail(
	surroundings: Surroundings,
	runId: string,
	options: { readonly index?: RunIndex; readonly redact?: Redact } = {},
): Steps<RunDetail | undefined> {
	const index = options.index ?? createRunIndex(surroundings.agentDirectory);
	index.refresh();
	const run = RUN_ID.test(runId) ? index.find(runId) : undefined;
	if (run === undefined) return undefined;
	const redact = options.redact ?? createRedact(surroundings);
	const { events } = readRunEvents(runEventsFile(surroundings.agentDirectory, runId));
	const [start] = events;
	const end = events.at(-1);
	const known = start?.type === "start" ? start : undefined;
	const file = known?.sessionFile ?? locateSession(run, surroundings);
	const session = file === undefined ? [] : selectRun(yield* readSessionEntries(file), run);
	return {
		...run,
		...(yield* readTranscript(events, session, { text: createShownText(redact), args: redact.args })),
		...defined({
			task: known?.task ?? run.task,
			runtime: known?.runtime,
			tools: known?.tools,
			output: end?.type === "end" ? end.output : undefined,
		}),
		children: findRelatedRuns(index, (other) => other.parent === `run:${runId}`),
		sameSession: findRelatedRuns(
			index,
			(other) => other.sessionId !== undefined && other.sessionId === run.sessionId && other.runId !== runId,
		),
	};
}

/** Events are exact; where there are none, or not all, the child's own transcript says more. */
function* readTranscript(
	events: readonly RunEvent[],
	session: readonly SessionEntry[],
	showing: Showing,
): Steps<Transcript> {
	const isWhole = events.length > 0 && !events.some(({ type }) => type === "full");
	const hasAnswer = session.some(({ kind }) => kind === "assistant");
	return yield* isWhole || !hasAnswer
		? transcriptOfEvents(events, wordsOfSession(session, events, showing))
		: transcriptOfSession(session, showing);
}

/** A session may have several runs; one has the lines between its start and its end. */
function selectRun(entries: readonly SessionEntry[], run: RunSummary): readonly SessionEntry[] {
	const from = Date.parse(run.startedAt) - WINDOW_MARGIN_MS;
	const to =
		run.durationMs === undefined
			? Number.POSITIVE_INFINITY
			: Date.parse(run.startedAt) + run.durationMs + WINDOW_MARGIN_MS;
	return entries.filter(({ at }) => at >= from && at <= to);
}

/** Undefined when the project is gone: a session belongs to the real directory it ran in. */
export function locateSession(run: RunSummary, { home }: Surroundings): string | undefined {
	if (run.cwd === undefined || run.sessionId === undefined) return undefined;
	try {
		const cwd = expandHome(run.cwd, home);
		return sessionFile(sessionDirectory(sessionsRoot(home), cwd), run.agent, run.sessionId);
	} catch {
		return undefined;
	}
}

function findRelatedRuns(index: RunIndex, isWanted: (run: RunSummary) => boolean): readonly RunSummary[] {
	return index.runs().filter(isWanted).slice(0, MAX_RELATED_RUNS);
}

const MAX_TEXT_CHARS = 20_000;
/** Of all texts of one transcript together. */
const MAX_ALL_CHARS = 4 * 1024 * 1024;
const MAX_TEXT_CHARS_BEYOND = 500;

/** Redacts and shortens the texts of one transcript, so that no run is too large to be shown. */
function createShownText(redact: Pick<Redact, "head">): (text: string) => string {
	let chars = 0;
	return (text) => {
		const max = chars < MAX_ALL_CHARS ? MAX_TEXT_CHARS : MAX_TEXT_CHARS_BEYOND;
		const shown: string = redact.head(text, max);
		chars += shown.length;
		return text.length > max ? `${shown}\n… ${text.length - max} more characters` : shown;
	};
}
