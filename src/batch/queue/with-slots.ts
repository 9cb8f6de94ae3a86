import { sleep, takeAll } from "@deputize/ground";
import type { TaskWorkerOptions } from "./queue-backend.ts";
import { QUEUE_LIMITS } from "./queue-limits.ts";

/**
 * A worker that has a slot before it leases a task: what is leased waits for nobody, and what waits is left to workers
 * that are free. Each queue asks for one slot at a time, so the slots go round the batches.
 */
export function withSlots(
	Worker: typeof import("bullmq").Worker,
	{ slots, rank, hasHigher, solitude }: Omit<TaskWorkerOptions, "concurrency" | "leaseMs">,
): typeof Worker {
	return class extends Worker {
		readonly #taken = new Map<string, () => void>();
		readonly #closing = new AbortController();
		readonly #running = new Set<Promise<unknown>>();
		#hasUnstarted = false;

		protected override async moveToActive(token: string, name?: string) {
			// BullMQ starts what it has leased only after it has asked for more; waiting for a slot would then never end.
			if (this.#hasUnstarted) return undefined as never;
			const giveBack = await this.#takeSlot();
			if (giveBack === undefined) return undefined as never;
			this.#taken.set(token, giveBack);
			const job = await super.moveToActive(token, name).catch((error: unknown) => {
				this.#giveBack(token);
				throw error;
			});
			if (job) {
				this.#hasUnstarted = true;
				solitude.noteLeased(job, token);
			} else this.#giveBack(token);
			return job;
		}

		override async processJob(...[job, token]: Parameters<InstanceType<typeof Worker>["processJob"]>) {
			this.#hasUnstarted = false;
			// The next one is not leased along with this one's end: another batch may be waiting for the slot.
			const run = super.processJob(job, token, () => false);
			this.#running.add(run);
			try {
				return await run;
			} finally {
				this.#running.delete(run);
				solitude.leave(token);
				this.#giveBack(token);
			}
		}

		override close(force?: boolean): Promise<void> {
			this.#closing.abort();
			return Promise.race([super.close(force), this.#idle()]);
		}

		/**
		 * Nothing has run for a moment. BullMQ waits for its connections to end, and one that waits to be made again, as after a
		 * restart of the server, never says that it has.
		 */
		async #idle(): Promise<void> {
			do {
				await Promise.allSettled(this.#running);
				await sleep(QUEUE_LIMITS.leaveMs);
			} while (this.#running.size > 0);
		}

		/** Undefined when this worker closes. */
		async #takeSlot(): Promise<(() => void) | undefined> {
			const { signal } = this.#closing;
			for (;;) {
				const giveBack = await takeAll(slots, { signal, rank });
				if (giveBack === undefined) return undefined;
				if (hasHigher()) await sleep(QUEUE_LIMITS.yieldMs, signal);
				if (!solitude.isTaken() && !slots.some((some) => some.isAwaitedAbove(rank))) return giveBack;
				giveBack();
				if (!solitude.isTaken()) continue;
				if (!(await sleep(QUEUE_LIMITS.longestPollMs, signal))) return undefined;
			}
		}

		#giveBack(token: string): void {
			this.#taken.get(token)?.();
			this.#taken.delete(token);
		}
	};
}
