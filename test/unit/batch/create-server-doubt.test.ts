import { expect, test } from "vitest";
import { createServerDoubt } from "../../../src/batch/queue/create-server-doubt.ts";
import type { BatchEntry } from "../../../src/batch/queue/directory.ts";

const entryAt = (seenAt?: number) =>
	(seenAt === undefined ? {} : { collector: { id: "c", name: "c", seenAt } }) as BatchEntry;

function open() {
	let now = 0;
	let found: BatchEntry | undefined;
	const doubt = createServerDoubt(
		async () => found,
		() => now,
	);
	return {
		doubt,
		offer: (entry: BatchEntry | undefined) => {
			found = entry;
		},
		wait: (milliseconds: number) => {
			now += milliseconds;
		},
	};
}

test("a server that was away is believed again when somebody has collected since", async () => {
	const { doubt, offer } = open();
	doubt.note(entryAt(1000));
	expect(await doubt.isOver()).toBe(true);
	doubt.raise();
	for (const entry of [undefined, entryAt(400), entryAt(1000)]) {
		offer(entry);
		expect(await doubt.isOver()).toBe(false);
	}
	offer(entryAt(1001));
	expect(await doubt.isOver()).toBe(true);
	offer(undefined);
	expect(await doubt.isOver()).toBe(true);
});

test("one that has gone back is doubted without an error, and one that nobody collects from is not for long", async () => {
	const { doubt, offer, wait } = open();
	doubt.note(entryAt(1000));
	doubt.note(entryAt(500));
	offer(entryAt(500));
	expect(await doubt.isOver()).toBe(false);
	wait(20_000);
	expect(await doubt.isOver()).toBe(true);
	doubt.raise();
	offer(entryAt());
	expect(await doubt.isOver()).toBe(true);
});
