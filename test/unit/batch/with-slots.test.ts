import { expect, test } from "vitest";
import { createSlots } from "../../../packages/ground/waiting/create-slots.ts";
import { createSolitude } from "../../../src/batch/queue/create-solitude.ts";
import { withSlots } from "../../../src/batch/queue/with-slots.ts";

/** A client of Redis that waits to connect again never says that it has ended, and BullMQ waits for that. */
class EndlessWorker {
	processJob(job: { readonly ended: Promise<void> }): Promise<void> {
		return job.ended;
	}
	close(): Promise<void> {
		return new Promise(() => undefined);
	}
}

test("a worker has closed when what it runs has ended, also when its connection never ends", async () => {
	const slots = createSlots(1);
	const SlotWorker = withSlots(EndlessWorker as never, {
		...{ slots: [slots], rank: 0, hasHigher: () => false, solitude: createSolitude(slots) },
	});
	const worker = new (SlotWorker as unknown as new () => EndlessWorker)();
	const job = Promise.withResolvers<void>();
	const running = worker.processJob({ ended: job.promise });
	let isClosed = false;
	const closed = worker.close().then(() => {
		isClosed = true;
	});
	await new Promise((resolve) => setTimeout(resolve, 300));
	expect(isClosed).toBe(false);
	job.resolve();
	await running;
	await closed;
	expect(isClosed).toBe(true);
});
