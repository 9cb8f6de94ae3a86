import { randomUUID } from "node:crypto";
import { hostname } from "node:os";
import { createSlots, messageOf, onAbort, type Slots, sleep, toOneLine, waitWithin } from "@deputize/ground";
import { sweepLayers } from "../../changes/sweep-layers.ts";
import { readSurroundings } from "../../config/read-surroundings.ts";
import { BATCH_PRIORITIES } from "../batch-options.ts";
import type { ExecuteTask } from "../batch-record.ts";
import { createTaskRunner, type TaskRunner } from "../create-task-runner.ts";
import { isAgentUnchanged } from "../decide-batch-agent.ts";
import { checkBatch, createIdentityReader, type WorkerPermissions } from "./check-batch.ts";
import { createJobProcessor } from "./create-job-processor.ts";
import { createServerDoubt, type ServerDoubt } from "./create-server-doubt.ts";
import { createSolitude, type Solitude } from "./create-solitude.ts";
import { type BatchEntry, type Directory, openDirectory } from "./directory.ts";
import { openQueueBackend } from "./open-queue-backend.ts";
import { createPersist } from "./persist.ts";
import type { QueueBackend, TaskWorker } from "./queue-backend.ts";
import { QUEUE_LIMITS } from "./queue-limits.ts";
import { nameBatchQueue } from "./queue-names.ts";

export interface WorkerOptions extends WorkerPermissions {
	/** `redis://…` or `postgres://…`. */
	readonly queue: string;
	/** How many tasks run at once, of all batches together. */
	readonly concurrency: number;
	/** How many of them may ask one service of models at once, such as `anthropic`, of all batches together. */
	readonly serviceLimits?: ReadonlyMap<string, number> | undefined;
	/** How it is called in messages and in `batch status`; host and process when not given. */
	readonly name?: string | undefined;
	/** Silence after which its tasks go to another worker. */
	readonly leaseMs?: number | undefined;
	/** Aborted: take nothing new, finish what runs, leave. */
	readonly drain: AbortSignal;
	/** Aborted: end what runs. Its tasks go back to the queue. */
	readonly stop: AbortSignal;
	readonly onNotice?: ((line: string) => void) | undefined;
	/** Replaces the delegation. */
	readonly execute?: ExecuteTask | undefined;
}

type ReadIdentity = ReturnType<typeof createIdentityReader>;

interface Joined {
	readonly worker: TaskWorker;
	readonly runner: TaskRunner;
	readonly doubt: ServerDoubt;
	readonly rank: number;
	checkedAt: number;
}

interface Crew {
	readonly options: WorkerOptions;
	readonly backend: QueueBackend;
	readonly directory: Directory;
	readonly slots: Slots;
	readonly serviceSlots: ReadonlyMap<string, Slots>;
	readonly solitude: Solitude;
	readonly joined: Map<string, Joined>;
	readonly refused: Map<string, string>;
	readonly notice: (line: string) => void;
}

/** Runs tasks of every batch it may run, until it is drained. Batches and workers come and go while others work. */
export async function runWorker(options: WorkerOptions): Promise<void> {
	const backend = openQueueBackend(options.queue);
	const notice = options.onNotice ?? (() => undefined);
	// Of one that was killed here, which may never be asked for that batch again.
	sweepLayers(readSurroundings(options.env));
	if (!(await backend.waitUntilReachable({ signal: options.drain, notice }))) return;
	const directory = await openDirectory(backend);
	const slots = createSlots(options.concurrency);
	const crew: Crew = {
		options,
		backend,
		directory,
		slots,
		serviceSlots: new Map(
			[...(options.serviceLimits ?? [])].map(([service, limit]) => [service, createSlots(limit)]),
		),
		solitude: createSolitude(slots),
		joined: new Map(),
		refused: new Map(),
		notice,
	};
	const id = randomUUID();
	const persist = createPersist(options.drain, notice);
	const forgetStop = onAbort(options.stop, () => {
		for (const { worker } of crew.joined.values()) worker.cancelAllJobs("stopped");
	});
	try {
		while (!options.drain.aborted) {
			await persist(() => followDirectory(crew, directory, id));
			await sleep(QUEUE_LIMITS.directoryPollMs, options.drain);
		}
	} finally {
		await leaveAll(crew, directory, id);
		forgetStop();
	}
}

/** Finishes what runs, unless the server is gone: then nobody could be told what came of it. */
async function leaveAll(crew: Crew, directory: Directory, id: string): Promise<void> {
	const workers = [...crew.joined.values()].map(({ worker }) => worker);
	// First of all nothing more is taken.
	const left = Promise.all([...crew.joined.keys()].map((batchId) => leave(crew, batchId)));
	const removed = directory.remove("worker", id).catch(() => undefined);
	if (await waitWithin(removed, QUEUE_LIMITS.leaveMs)) {
		await left;
		return directory.close();
	}
	crew.notice("The queue does not answer: leaving without it. What ran goes to another worker.");
	for (const worker of workers) worker.cancelAllJobs("stopped");
	void directory.close().catch(() => undefined);
	await waitWithin(
		left.catch(() => undefined),
		QUEUE_LIMITS.leaveMs / 3,
	);
}

/** Joins new batches, leaves those that ended or no longer match, and says that this worker is here. */
async function followDirectory(crew: Crew, directory: Directory, id: string): Promise<void> {
	const { options, slots, joined, refused } = crew;
	const { batches } = await directory.list();
	const open = new Map(batches.filter(({ state }) => state === "open").map((entry) => [entry.id, entry]));
	for (const batchId of [...joined.keys()]) if (!open.has(batchId)) await endBatch(crew, batchId);
	for (const batchId of refused.keys()) if (!open.has(batchId)) refused.delete(batchId);
	const readIdentity = createIdentityReader();
	for (const entry of open.values()) await joinOrSay(crew, entry, readIdentity);
	await directory.put({
		kind: "worker",
		version: 1,
		id,
		name: options.name ?? `${hostname()}:${process.pid}`,
		concurrency: options.concurrency,
		running: slots.running(),
		seenAt: Date.now(),
		refused: Object.fromEntries(refused),
	});
}

/** What goes wrong with one batch is that batch's reason, and no other one's. */
async function joinOrSay(crew: Crew, entry: BatchEntry, readIdentity: ReadIdentity): Promise<void> {
	try {
		await joinBatch(crew, entry, readIdentity);
	} catch (error) {
		await refuseBatch(crew, entry.id, `it could not be checked: ${toOneLine(messageOf(error))}`);
	}
}

async function refuseBatch(crew: Crew, batchId: string, reason: string): Promise<void> {
	const { joined, refused, notice } = crew;
	if (refused.get(batchId) !== reason) notice(`Not joining batch ${batchId}: ${reason}`);
	refused.set(batchId, reason);
	if (joined.has(batchId)) await leave(crew, batchId);
}

/** A checkout can move while a batch runs, so an accepted batch is looked at again now and then. */
async function joinBatch(crew: Crew, entry: BatchEntry, readIdentity: ReadIdentity): Promise<void> {
	const { options, backend, directory, slots, serviceSlots, solitude, joined, refused, notice } = crew;
	const known = joined.get(entry.id);
	known?.doubt.note(entry);
	if (known !== undefined && Date.now() - known.checkedAt < QUEUE_LIMITS.identityAgeMs) return;
	const verdict = await checkBatch(entry, options, readIdentity);
	if (!verdict.accepted) return refuseBatch(crew, entry.id, verdict.reason);
	refused.delete(entry.id);
	if (known !== undefined) {
		known.checkedAt = Date.now();
		return;
	}
	notice(`Joining batch ${entry.id} in ${entry.workspace}.`);
	const runner = createTaskRunner({
		delegate: { ...verdict.delegate, batch: entry.id },
		changes: "handed-over-or-removed",
		maxUsdPerTask: entry.maxUsdPerTask,
		retries: entry.retries,
		execute: options.execute,
	});
	const { execute } = runner;
	const rank = BATCH_PRIORITIES.indexOf(entry.priority ?? "normal");
	const doubt = createServerDoubt(() => directory.find(entry.id));
	doubt.note(entry);
	const processor = createJobProcessor({
		backend,
		execute,
		solitude,
		agents: Object.keys(entry.agents),
		isTrusted: doubt.isOver,
		isUnchanged: (agent) => isAgentUnchanged(agent, entry.agents[agent] ?? "", verdict.delegate),
	});
	const worker = backend.openWorker(nameBatchQueue(entry.id), processor.process, {
		// First the service's, so that nobody keeps a place of the worker while waiting for it.
		slots: [...verdict.services.flatMap((service) => serviceSlots.get(service) ?? []), slots],
		rank,
		hasHigher: () => [...joined.values()].some((other) => other.rank > rank),
		solitude,
		concurrency: options.concurrency,
		leaseMs: options.leaseMs ?? QUEUE_LIMITS.leaseMs,
	});
	processor.attach(worker);
	// Errors of the connection are repeated by the directory's own commands; a lost lease is what `cancelJob` is for.
	worker.on("error", doubt.raise);
	worker.on("lockRenewalFailed", (ids) => {
		for (const jobId of ids) worker.cancelJob(jobId, "lease lost");
	});
	joined.set(entry.id, { worker, runner, doubt, rank, checkedAt: Date.now() });
}

/** Finishes what it runs of the batch, and takes nothing more of it. */
async function leave({ joined }: Crew, batchId: string): Promise<void> {
	const known = joined.get(batchId);
	joined.delete(batchId);
	await known?.worker.close();
	await known?.runner.close();
}

/** The batch was finished or cancelled: what still runs of it is of no use. */
async function endBatch(crew: Crew, batchId: string): Promise<void> {
	crew.joined.get(batchId)?.worker.cancelAllJobs("cancelled");
	await leave(crew, batchId);
}
