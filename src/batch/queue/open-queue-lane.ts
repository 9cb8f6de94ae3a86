import { basename, resolve } from "node:path";
import { defined, waitWithin } from "@deputize/ground";
import { readSurroundings } from "../../config/read-surroundings.ts";
import { readPackageVersion } from "../../contract/read-package-version.ts";
import type { BatchFiles } from "../batch-files.ts";
import { BATCH_LIMITS } from "../batch-limits.ts";
import { type BatchState, writeBatchState } from "../batch-state.ts";
import type { Lane } from "../lane.ts";
import type { LaneInput } from "../lane-input.ts";
import { cancelBatch } from "./cancel-batch.ts";
import { collectResults } from "./collect-results.ts";
import { createClaim } from "./create-claim.ts";
import { type BatchEntry, openDirectory } from "./directory.ts";
import type { QueuedBatch } from "./feed-queue.ts";
import { hidePassword, openQueueBackend } from "./open-queue-backend.ts";
import { QUEUE_LIMITS } from "./queue-limits.ts";
import { nameBatchQueue } from "./queue-names.ts";
import { readWorkspaceIdentity } from "./read-workspace-identity.ts";

interface OpenQueueLaneInput extends LaneInput {
	readonly files: BatchFiles;
	readonly state: BatchState;
	readonly queue: string;
}

/** A queue without any limit does not look whether one of its workers asked for a pause. */
const NO_LIMIT = { count: 1_000_000_000, perMs: 1000 };

/** Puts the tasks on a queue and collects what the workers of any machine make of them. */
export async function openQueueLane(input: OpenQueueLaneInput): Promise<Lane> {
	const { options, files, state } = input;
	const { id } = state;
	const backend = openQueueBackend(input.queue);
	// First, because it marks our own files: what is written from now on changes nothing about the directory.
	writeBatchState(files, { ...state, queue: hidePassword(input.queue) });
	const entry = await describeBatch(input);
	const signal = AbortSignal.any([options.drain, options.signal].filter((given) => given !== undefined));
	if (!(await backend.waitUntilReachable({ signal, notice: options.onNotice }))) return createNoLane();
	const directory = await openDirectory(backend);
	const queue = await backend.openQueue(nameBatchQueue(id));
	for (const line of await backend.checkDurability()) options.onNotice?.(line);
	const claim = createClaim(directory, entry);
	const { concurrency, rate = NO_LIMIT } = options;
	let isHeld = false;
	let left: QueuedBatch["outstanding"] = new Map();
	const hold = (): Promise<void> => (isHeld ? queue.pause() : queue.resume());
	const announce = async (): Promise<void> => {
		await (concurrency === undefined
			? queue.removeGlobalConcurrency()
			: queue.setGlobalConcurrency(concurrency));
		await queue.setGlobalRateLimit(rate.count, rate.perMs);
		await hold();
		await claim.write();
	};
	return {
		async run(work) {
			await claim.take();
			// Whoever starts a batch wants it to go on, whatever it waited for.
			await queue.removeRateLimitKey();
			await announce();
			const maxQuotaWaitMs = options.maxQuotaWaitMs ?? BATCH_LIMITS.maxQuotaWaitMs;
			left = await collectResults(work, queue, { directory, batchId: id, claim, maxQuotaWaitMs, announce });
		},
		setHeld(held) {
			isHeld = held;
			return hold();
		},
		async close(finished) {
			const released = claim.release().catch(() => false);
			if (!(await waitWithin(released, QUEUE_LIMITS.leaveMs))) {
				// Gone: the next run finds everything as it is.
				for (const opened of [queue, directory]) void opened.close().catch(() => undefined);
				return 0;
			}
			const isOurs = await released;
			const costUsd = finished && isOurs ? await cancelBatch(queue, directory, id, left) : 0;
			await queue.close();
			await directory.close();
			return costUsd;
		},
	};
}

/** Of a batch that was stopped before its server answered. */
function createNoLane(): Lane {
	return {
		run: async (work) => work.stopEarly("interrupted"),
		setHeld: async () => undefined,
		close: async () => 0,
	};
}

async function describeBatch({ options, state: { id }, prepared }: OpenQueueLaneInput): Promise<BatchEntry> {
	const {
		cwd = process.cwd(),
		env,
		model,
		runtime,
		offline,
		timeoutMs,
		idleTimeoutMs,
	} = options.delegate ?? {};
	const path = resolve(cwd);
	const agents = [...prepared.agents].map(([name, { agentHash }]) => [name, agentHash] as const);
	const writers = [...prepared.agents].filter(([, { worksInLayer }]) => worksInLayer).map(([name]) => name);
	return defined({
		kind: "batch" as const,
		version: 1 as const,
		id,
		state: "open" as const,
		workspace: options.workspace ?? basename(path),
		commit: await readWorkspaceIdentity(path, readSurroundings(env).env),
		agents: Object.fromEntries(agents),
		writers: writers.length === 0 ? undefined : writers,
		delegate: defined({ model, runtime, offline, timeoutMs, idleTimeoutMs }),
		maxUsdPerTask: options.maxUsdPerTask,
		retries: options.retries,
		priority: options.priority,
		package: readPackageVersion(),
	});
}
