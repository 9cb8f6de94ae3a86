import { expect, test } from "vitest";
import { openDirectory } from "../../../src/batch/queue/directory.ts";
import { packPayload } from "../../../src/batch/queue/payload.ts";
import type { TaskQueue } from "../../../src/batch/queue/queue-backend.ts";

const GOOD = {
	...{ kind: "batch", version: 1, id: "good", state: "open", workspace: "here", commit: "c" },
	...{ agents: { explorer: "hash" }, delegate: { model: "p/m", offline: false, timeoutMs: 1000 } },
	...{ maxUsdPerTask: 1, package: "0.1.0" },
};

const { delegate: _, ...WITHOUT_DELEGATE } = GOOD;

test.each([
	["no delegate", WITHOUT_DELEGATE],
	["a delegate that is a list", { ...GOOD, delegate: [] }],
	["a model that is no text", { ...GOOD, delegate: { model: { id: 1 } } }],
	["offline that is a word", { ...GOOD, delegate: { offline: "no" } }],
	["a time below zero", { ...GOOD, delegate: { timeoutMs: -1 } }],
	["a silence that is a text", { ...GOOD, delegate: { idleTimeoutMs: "1" } }],
	["a limit of money that is a text", { ...GOOD, maxUsdPerTask: "9" }],
	["a state nobody knows", { ...GOOD, state: "ajar" }],
	["a version that is no text", { ...GOOD, package: 3 }],
	["agents that are a list", { ...GOOD, agents: ["explorer"] }],
])("an entry with %s is left out, and the ones after it are read", async (_what, bad) => {
	const jobs = [{ ...bad, id: "bad" }, GOOD].map((entry) => ({ data: packPayload(entry) }));
	const queue: Partial<Record<keyof TaskQueue, unknown>> = { getJobs: async () => jobs };
	const directory = await openDirectory({ openQueue: async () => queue as TaskQueue });
	expect((await directory.list()).batches.map(({ id }) => id)).toEqual(["good"]);
});
