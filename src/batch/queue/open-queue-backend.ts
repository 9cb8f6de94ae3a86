import { readSurroundings } from "../../config/read-surroundings.ts";
import { explainChangedPart } from "../../parts/explain-changed-part.ts";
import { loadPackage } from "../../parts/load-package.ts";
import { type LocatedPart, locatePart } from "../../parts/locate-part.ts";
import { renderSetupCommand } from "../../parts/part-rows.ts";
import { BatchError } from "../batch-error.ts";
import { probeQueue } from "./probe-queue.ts";
import type { QueueBackend, TaskQueue, TaskWorker } from "./queue-backend.ts";
import { QUEUE_LIMITS } from "./queue-limits.ts";
import { QUEUE_NAMESPACE } from "./queue-names.ts";
import { readRedisDurability } from "./read-redis-durability.ts";
import { waitForQueue } from "./wait-for-queue.ts";
import { withSlots } from "./with-slots.ts";

type QueueKind = "redis" | "postgres";

const REDIS = /^rediss?:$/;
const POSTGRES = /^postgres(ql)?:$/;
/** One for short queries, one to listen, and room for a few at once. */
const POSTGRES_CONNECTIONS = 4;

/** Which kind of server an address names. Refuses any other before something is written or started for it. */
export function checkQueueAddress(address: string): QueueKind {
	const { protocol } = parseAddress(address);
	if (REDIS.test(protocol)) return "redis";
	if (POSTGRES.test(protocol)) return "postgres";
	throw new BatchError(`--queue takes redis://, rediss:// or postgres://, not ${protocol}//.`);
}

/** The address as it may be shown and kept: without its password. */
export function hidePassword(address: string): string {
	const url = parseAddress(address);
	if (url.password !== "") url.password = "***";
	return url.href;
}

function parseAddress(address: string): URL {
	try {
		return new URL(address);
	} catch {
		throw new BatchError(
			"--queue takes an address such as redis://localhost:6379 or postgres://user@host/database.",
		);
	}
}

/** Loads BullMQ and the driver for this address. Only a batch or a worker with a queue pays for them. */
export function openQueueBackend(address: string): QueueBackend {
	const kind = checkQueueAddress(address);
	const part = locateQueuePart(kind);
	const bull = loadPackage<typeof import("bullmq")>(part, "bullmq");
	const { Queue, Worker } =
		kind === "redis"
			? bull.withBackend(bull.createRedisBackend)
			: bull.withBackend(bull.createPostgresBackend);
	const connection =
		kind === "redis"
			? // A command waits for a lost server to come back instead of failing, and is tried soon: BullMQ would wait up to 20 s.
				{ url: address, maxRetriesPerRequest: null, retryStrategy: () => QUEUE_LIMITS.retryDelayMs }
			: { connectionString: address, schema: QUEUE_NAMESPACE, migrate: true, max: POSTGRES_CONNECTIONS };
	const options = { connection: connection as never, prefix: QUEUE_NAMESPACE };
	return {
		waitUntilReachable: (given) =>
			waitForQueue(() => probeQueue(kind, address, part), hidePassword(address), given),
		async openQueue(name) {
			const queue = new Queue(name, {
				...options,
				// A failed delegation is a finished task: nothing is ever tried again but a task whose worker was lost.
				defaultJobOptions: { attempts: 1 },
			});
			// Without a listener an error of the connection would end the process; every command reports it anyway.
			queue.on("error", () => undefined);
			await queue.waitUntilReady();
			return queue as unknown as TaskQueue;
		},
		openWorker(name, processJob, { concurrency, leaseMs, ...turns }) {
			const SlotWorker = withSlots(Worker as typeof bull.Worker, turns);
			return new SlotWorker(name, processJob as never, {
				...options,
				concurrency,
				drainDelay: QUEUE_LIMITS.idleSeconds,
				lockDuration: leaseMs,
				stalledInterval: leaseMs,
				maxStalledCount: QUEUE_LIMITS.maxLostWorkers,
				runRetryDelay: QUEUE_LIMITS.retryDelayMs,
				// A worker that waits for a quota could not leave before the wait is over.
				maximumRateLimitDelay: QUEUE_LIMITS.retryDelayMs,
			}) as unknown as TaskWorker;
		},
		rateLimitError: () => Worker.RateLimitError(),
		waitingError: () => new bull.WaitingError(),
		checkDurability: () => (kind === "redis" ? readRedisDurability(address, part) : Promise.resolve([])),
	};
}

function locateQueuePart(kind: QueueKind): LocatedPart {
	const { agentDirectory } = readSurroundings();
	const packages = ["bullmq", kind === "redis" ? "ioredis" : "pg"];
	const located = locatePart("queue", { agentDirectory, packages });
	if (located === undefined)
		throw new BatchError(
			`A queue needs packages that are not installed with deputize. Run: ${renderSetupCommand("queue")}`,
		);
	const changed = explainChangedPart(located);
	if (changed !== undefined) throw new BatchError(changed);
	return located;
}
