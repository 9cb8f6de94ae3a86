import { describe, expect, test } from "vitest";
import { createClaim } from "../../../src/batch/queue/create-claim.ts";
import { createHeartbeatWatch } from "../../../src/batch/queue/create-heartbeat-watch.ts";
import { describeClock } from "../../../src/batch/queue/describe-clock.ts";
import type { BatchEntry, Directory } from "../../../src/batch/queue/directory.ts";

const ENTRY: BatchEntry = {
	...{ kind: "batch", version: 1, id: "b", state: "open", workspace: "here", commit: "c" },
	...{ agents: {}, delegate: {} },
};

/** A server with room for one entry. */
function createShelf(kept?: BatchEntry) {
	const shelf = { kept };
	const directory: Directory = {
		list: async () => ({ batches: shelf.kept ? [shelf.kept] : [], workers: [], isUnsure: false }),
		find: async () => shelf.kept,
		async put(entry) {
			if (entry.kind === "batch") shelf.kept = entry;
		},
		remove: async () => undefined,
		close: async () => undefined,
	};
	return { shelf, directory };
}

describe("the claim of the process that collects", () => {
	test("notices that the server has lost it, or has gone back in time", async () => {
		const { shelf, directory } = createShelf();
		const claim = createClaim(directory, ENTRY);
		await claim.take();
		const early = shelf.kept;
		expect(await claim.renew(shelf.kept)).toBe("kept");
		expect(await claim.renew(early)).toBe("forgotten");
		expect(await claim.renew(undefined)).toBe("forgotten");
		expect(await claim.renew(ENTRY)).toBe("forgotten");
		expect(await claim.renew(shelf.kept)).toBe("kept");
		expect(await claim.renew({ ...ENTRY, state: "cancelled" })).toBe("cancelled");
	});

	test("is given up by name, and not by one that lost it", async () => {
		const { shelf, directory } = createShelf();
		const first = createClaim(directory, ENTRY);
		await first.take();
		const second = createClaim(directory, ENTRY);
		await second.write();
		await expect(first.renew(shelf.kept)).rejects.toThrow(/Another process/);
		expect(await first.release()).toBe(false);
		expect(shelf.kept?.collector).toBeDefined();
		expect(await second.release()).toBe(true);
		expect(shelf.kept?.collector).toBeUndefined();
	});

	test("of a dead process is taken over, also when the server then goes back to it", async () => {
		const dead = { ...ENTRY, collector: { id: "dead", name: "h:1", seenAt: 1 } };
		const { shelf, directory } = createShelf(dead);
		const claim = createClaim(directory, ENTRY);
		await claim.take();
		expect(shelf.kept?.collector?.id).not.toBe("dead");
		expect(await claim.renew(dead)).toBe("forgotten");
	}, 10_000);
});

describe("heartbeats", () => {
	const HOUR_MS = 3_600_000;
	test.each([
		["right", 0, true],
		["an hour behind", -HOUR_MS, undefined],
		["an hour ahead", HOUR_MS, undefined],
	])("of a clock that is %s are believed when they move", (_what, offset, atFirst) => {
		let now = 10 * HOUR_MS;
		const feel = createHeartbeatWatch(() => now);
		expect(feel("w", now + offset).isAlive).toBe(atFirst);
		now += 1000;
		expect(feel("w", now + offset)).toEqual({ isAlive: true, clockBehindMs: 0 - offset });
		const last = now + offset;
		now += 19_000;
		expect(feel("w", last).isAlive).toBe(true);
		now += 1000;
		expect(feel("w", last).isAlive).toBe(false);
	});

	test("of clocks that differ much are said", () => {
		expect(describeClock({})).toBe("");
		expect(describeClock({ clockBehindMs: HOUR_MS })).toBe("its clock is 1 hour behind this machine's");
		expect(describeClock({ clockBehindMs: -90_000 })).toContain("1 minute 30 seconds ahead of");
	});
});
