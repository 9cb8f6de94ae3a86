import { ifGiven, isAmount, isObject, isOneOf, isText, isTextList, parseWith } from "@deputize/ground";
import { BATCH_LIMITS } from "../batch-limits.ts";
import { BATCH_PRIORITIES, type BatchPriority } from "../batch-options.ts";
import { createHeartbeatWatch } from "./create-heartbeat-watch.ts";
import { packPayload, unpackPayload } from "./payload.ts";
import type { QueueBackend, QueuedJob } from "./queue-backend.ts";
import { QUEUE_LIMITS } from "./queue-limits.ts";
import { DIRECTORY_QUEUE } from "./queue-names.ts";

/** A batch that workers may join. */
export interface BatchEntry {
	readonly kind: "batch";
	readonly version: 1;
	readonly id: string;
	readonly state: "open" | "cancelled";
	/** What the workers call the directory. */
	readonly workspace: string;
	/** The state of the directory: a worker with another one must not answer. */
	readonly commit: string;
	/** Name and content of each agent. */
	readonly agents: Readonly<Record<string, string>>;
	/** Those of them that change files, in a layer, and hand over patches. */
	readonly writers?: readonly string[];
	/** How every task is delegated. */
	readonly delegate: {
		readonly model?: string;
		readonly runtime?: string;
		readonly offline?: boolean;
		readonly timeoutMs?: number;
		readonly idleTimeoutMs?: number;
	};
	readonly maxUsdPerTask?: number;
	readonly retries?: number;
	readonly priority?: BatchPriority;
	/** Version of the package that made it; older ones do not say. */
	readonly package?: string;
	/** The process that collects its results, if one does. */
	readonly collector?: Collector;
}

export interface Collector {
	readonly id: string;
	/** Host and process, for people. */
	readonly name: string;
	/** Grows once a second; the server has gone back in time when it is smaller than it was. */
	readonly seenAt: number;
}

/** A worker that is connected, and why it leaves batches alone. */
export interface WorkerEntry {
	readonly kind: "worker";
	readonly version: 1;
	readonly id: string;
	readonly name: string;
	readonly concurrency: number;
	readonly running: number;
	readonly seenAt: number;
	/** Reasons by the id of the batch. */
	readonly refused: Readonly<Record<string, string>>;
	/** How much later it is here than on its machine, when that is much. Found by the reader. */
	readonly clockBehindMs?: number;
}

type Entry = BatchEntry | WorkerEntry;

/** The list of batches and workers that everybody on a server shares. */
export interface Directory {
	list(): Promise<{
		readonly batches: readonly BatchEntry[];
		readonly workers: readonly WorkerEntry[];
		/** A second look will tell whether all workers are listed. */
		readonly isUnsure: boolean;
	}>;
	find(batchId: string): Promise<BatchEntry | undefined>;
	put(entry: Entry): Promise<void>;
	remove(kind: Entry["kind"], id: string): Promise<void>;
	close(): Promise<void>;
}

export async function openDirectory(backend: Pick<QueueBackend, "openQueue">): Promise<Directory> {
	const queue = await backend.openQueue(DIRECTORY_QUEUE);
	const feel = createHeartbeatWatch();
	return {
		async list() {
			const jobs = await queue.getJobs(["waiting", "paused"], 0, QUEUE_LIMITS.maxDirectoryEntries - 1, true);
			const entries = jobs.flatMap((job) => parseDirectoryEntry(job) ?? []);
			const workers = entries
				.filter((entry) => entry.kind === "worker")
				.map((entry) => ({ entry, ...feel(entry.id, entry.seenAt) }));
			return {
				batches: entries.filter((entry) => entry.kind === "batch"),
				workers: workers
					.filter(({ isAlive }) => isAlive === true)
					.map(({ entry, clockBehindMs }) =>
						Math.abs(clockBehindMs) < QUEUE_LIMITS.workerEntryMs ? entry : { ...entry, clockBehindMs },
					),
				isUnsure: workers.some(({ isAlive }) => isAlive === undefined),
			};
		},
		async find(batchId) {
			const entry = parseDirectoryEntry(await queue.getJob(toJobId("batch", batchId)));
			return entry?.kind === "batch" ? entry : undefined;
		},
		async put(entry) {
			const jobId = toJobId(entry.kind, entry.id);
			const known = await queue.getJob(jobId);
			if (known) await known.updateData(packPayload(entry));
			else await queue.addBulk([{ name: entry.kind, data: packPayload(entry), opts: { jobId } }]);
		},
		async remove(kind, id) {
			await queue.remove(toJobId(kind, id));
		},
		close: () => queue.close(),
	};
}

function toJobId(kind: Entry["kind"], id: string): string {
	return `${kind}-${id}`;
}

/** Entries of another version are somebody else's to understand. */
function parseDirectoryEntry(job: QueuedJob | undefined): Entry | undefined {
	const fields = unpackPayload(job?.data);
	const common = { version: isOneOf(1), id: isText };
	const batch = parseWith<BatchEntry>(fields, {
		...common,
		kind: isOneOf("batch"),
		state: isOneOf("open", "cancelled"),
		workspace: isText,
		commit: isText,
		agents: isTextMap,
		writers: ifGiven(isTextList),
		delegate: isDelegate,
		maxUsdPerTask: ifGiven(isPositive),
		retries: ifGiven(isRetries),
		priority: ifGiven(isOneOf(...BATCH_PRIORITIES)),
		package: ifGiven(isText),
		collector: ifGiven(isCollector),
	});
	const worker = parseWith<WorkerEntry>(fields, {
		...common,
		kind: isOneOf("worker"),
		name: isText,
		concurrency: Number.isFinite,
		running: Number.isFinite,
		seenAt: Number.isFinite,
		refused: isTextMap,
	});
	return batch ?? worker;
}

const isTextMap = (value: unknown): boolean => isObject(value) && Object.values(value).every(isText);

const isPositive = (value: unknown): boolean =>
	typeof value === "number" && Number.isFinite(value) && value > 0;

const isRetries = (value: unknown): boolean => isAmount(value) && value <= BATCH_LIMITS.maxRetries;

const isCollector = (value: unknown): boolean =>
	parseWith<Collector>(value, { id: isText, name: isText, seenAt: Number.isFinite }) !== undefined;

const isDelegate = (value: unknown): boolean =>
	parseWith<BatchEntry["delegate"]>(value, {
		model: ifGiven(isText),
		runtime: ifGiven(isText),
		offline: ifGiven(isOneOf(true, false)),
		timeoutMs: ifGiven(isPositive),
		idleTimeoutMs: ifGiven(isPositive),
	}) !== undefined;
