import { basename, resolve } from "node:path";
import { defined } from "@deputize/ground";
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
import { nameBatchQueue } from "./queue-names.ts";
import { readWorkspaceIdentity } from "./read-workspace-identity.ts";

interface OpenQueueLaneInput extends LaneInput {
	readonly files: BatchFiles;
	readonly id: string;
	readonly earlier: BatchState | undefined;
	readonly queue: string;
}

/** A queue without any limit does not look whether one of its workers asked for a pause. */
const NO_LIMIT = { count: 1_000_000_000, perMs: 1000 };

/** Puts the tasks on a queue and collects what the workers of any machine make of them. */
export async function openQueueLane(input: OpenQueueLaneInput): Promise<Lane> {
	const { options, files, id, prepared } = input;
	const backend = openQueueBackend(input.queue);
	// First, because it marks our own files: what is written from now on changes nothing about the directory.
	writeBatchState(files, {
		...input.earlier,
		version: 1,
		id,
		lane: "queue",
		queue: hidePassword(input.queue),
		total: prepared.tasks.length,
	});
	const entry = await describeBatch(input);
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
			const isOurs = await claim.release();
			const costUsd = finished && isOurs ? await cancelBatch(queue, directory, id, left) : 0;
			await queue.close();
			await directory.close();
			return costUsd;
		},
	};
}

async function describeBatch({ options, id, prepared }: OpenQueueLaneInput): Promise<BatchEntry> {
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
	return defined({
		kind: "batch" as const,
		version: 1 as const,
		id,
		state: "open" as const,
		workspace: options.workspace ?? basename(path),
		commit: await readWorkspaceIdentity(path, readSurroundings(env).env),
		agents: Object.fromEntries(agents),
		delegate: defined({ model, runtime, offline, timeoutMs, idleTimeoutMs }),
		maxUsdPerTask: options.maxUsdPerTask,
		package: readPackageVersion(),
	});
}
