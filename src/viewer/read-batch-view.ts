import { defined, groupBy } from "@deputize/ground";
import type { BatchRecord } from "../batch/batch-record.ts";
import { readLedger } from "../batch/ledger/read-ledger.ts";
import { readBatchStatus } from "../batch/read-batch-status.ts";
import type { Redact } from "../delegation/redact.ts";
import { readKnownBatches } from "../journal/known-batches.ts";
import type { RunSummary } from "../runs/run-summary.ts";
import { type BatchLine, toBatchLine } from "./read-batches.ts";
import { PAGE_SIZE } from "./select-run-page.ts";

const MAX_WORDS_CHARS = 300;
const MAX_FAILURES = 50;

export interface BatchQuery {
	readonly status?: BatchRecord["status"] | undefined;
	/** In the id, the answer's beginning or the reason. */
	readonly text?: string | undefined;
	readonly page?: number | undefined;
}

/** One task of a batch in a list. */
export interface BatchTaskLine
	extends Pick<BatchRecord, "id" | "agent" | "status" | "costUsd" | "durationMs" | "model"> {
	/** The beginning of the answer, or of the reason why there is none. */
	readonly words: string;
	readonly code?: string;
	readonly cause?: string;
	/** Its run, as long as the journal knows it. */
	readonly runId?: string;
}

/** Failures of one kind. */
interface BatchFailure {
	readonly code: string;
	readonly cause?: string;
	readonly count: number;
	/** What the first of them said. */
	readonly example: string;
}

export interface BatchView extends BatchLine {
	readonly agents: readonly string[];
	readonly models: readonly string[];
	/** Results in a minute, lately, while it runs. */
	readonly perMinute?: number;
	readonly restMs?: number;
	/** How long half, and 95 of 100, of the tasks that are done took at most. */
	readonly p50Ms?: number;
	readonly p95Ms?: number;
	/** US dollars, on average. */
	readonly costPerTaskUsd?: number;
	readonly failures: readonly BatchFailure[];
	readonly tasks: readonly BatchTaskLine[];
	/** Tasks that match, on all pages. */
	readonly matching: number;
	readonly page: number;
	readonly pages: number;
	/** Tasks that run now. */
	readonly running: readonly RunSummary[];
}

/** A batch with its failures by kind and one page of its tasks, newest first; undefined when nobody knows it. */
export async function readBatchView(
	agentDirectory: string,
	id: string,
	options: { readonly query: BatchQuery; readonly redact: Redact; readonly runs: readonly RunSummary[] },
): Promise<BatchView | undefined> {
	const { query, redact, runs } = options;
	const known = readKnownBatches(agentDirectory).find((batch) => batch.id === id);
	const status = known && (await readBatchStatus(known.output).catch(() => undefined));
	if (known === undefined || status === undefined) return undefined;
	const { lines, failures } = await readTasks(known.output);
	const wanted = query.text?.toLowerCase() ?? "";
	const hasWanted = (text: string): boolean => text.toLowerCase().includes(wanted);
	// What is shown is what is looked in: nobody finds out by asking what is hidden. Redacting takes time: only what could match.
	const isFound = (text: string): boolean =>
		wanted === "" || (hasWanted(text) && hasWanted(redact.text(text)));
	const matching = lines
		.filter((line) => query.status === undefined || line.status === query.status)
		.filter(({ id, words }) => isFound(`${id} ${words}`))
		.reverse();
	const pages = Math.max(1, Math.ceil(matching.length / PAGE_SIZE));
	const page = Math.min(pages - 1, Math.max(0, query.page ?? 0));
	const ofBatch = runs.filter(({ batch }) => batch === id);
	const runOf = new Map(ofBatch.map(({ sessionId, runId }) => [sessionId ?? runId, runId]));
	return {
		...toBatchLine(known, status, redact),
		...measureTasks(lines),
		...defined({ perMinute: status.perMinute, restMs: status.restMs }),
		agents: listAnswerers(status.state.about?.agents, lines, ({ agent }) => agent, redact),
		models: listAnswerers(status.state.about?.models, lines, ({ model }) => model, redact),
		failures: failures.map((failure) => ({
			...failure,
			example: redact.head(failure.example, MAX_WORDS_CHARS),
		})),
		tasks: matching.slice(page * PAGE_SIZE, (page + 1) * PAGE_SIZE).map(({ sessionId, ...line }) => ({
			...line,
			id: redact.head(line.id, MAX_WORDS_CHARS),
			words: redact.head(line.words, MAX_WORDS_CHARS),
			...defined({ runId: sessionId && runOf.get(sessionId) }),
		})),
		matching: matching.length,
		page,
		pages,
		running: ofBatch.filter(({ state }) => state === "running"),
	};
}

const MAX_NAMES = 20;

/** Those that answered, or those that were chosen while nobody has. */
function listAnswerers(
	chosen: readonly string[] = [],
	lines: readonly TaskLine[],
	read: (line: TaskLine) => string | undefined,
	redact: Redact,
): readonly string[] {
	const found = [...new Set(lines.flatMap((line) => read(line) ?? []))];
	return (found.length > 0 ? found : chosen)
		.slice(0, MAX_NAMES)
		.map((name) => redact.head(name, MAX_WORDS_CHARS));
}

function measureTasks(lines: readonly TaskLine[]): Pick<BatchView, "p50Ms" | "p95Ms" | "costPerTaskUsd"> {
	if (lines.length === 0) return {};
	const times = lines
		.filter(({ status }) => status === "done")
		.map(({ durationMs }) => durationMs)
		.sort((left, right) => left - right);
	const timeOf = (share: number): number | undefined => times[Math.ceil(times.length * share) - 1];
	const costUsd = lines.reduce((sum, line) => sum + line.costUsd, 0);
	return defined({ p50Ms: timeOf(0.5), p95Ms: timeOf(0.95), costPerTaskUsd: costUsd / lines.length });
}

interface TaskLine extends BatchTaskLine {
	readonly sessionId?: string;
}

/** Line by line: answers are long, and there may be many. */
async function readTasks(
	output: string,
): Promise<{ readonly lines: readonly TaskLine[]; readonly failures: readonly BatchFailure[] }> {
	const lines = new Map<string, TaskLine>();
	await readLedger(output, ({ record }) => {
		lines.delete(record.key);
		lines.set(record.key, toTaskLine(record));
	});
	const failed = groupBy(
		[...lines.values()].filter(({ status }) => status === "failed"),
		({ code, cause }) => `${code} ${cause}`,
	);
	const failures = [...failed.values()].map((group): BatchFailure => {
		const [first] = group;
		return {
			code: first?.code ?? "",
			count: group.length,
			example: first?.words ?? "",
			...defined({ cause: first?.cause }),
		};
	});
	failures.sort((left, right) => right.count - left.count);
	return { lines: [...lines.values()], failures: failures.slice(0, MAX_FAILURES) };
}

/** Beyond what is shown, so that redaction sees a secret at the cut whole. */
const KEPT_WORDS_CHARS = 2000;

function toTaskLine(record: BatchRecord): TaskLine {
	const { id, agent, status, answer, data, error, costUsd, durationMs, model, sessionId } = record;
	const words = error?.message ?? answer ?? JSON.stringify(data ?? "");
	return {
		...{ id, agent, status, costUsd, durationMs },
		words: words.slice(0, KEPT_WORDS_CHARS),
		...defined({ code: error?.code, cause: error?.cause?.kind, model, sessionId }),
	};
}
