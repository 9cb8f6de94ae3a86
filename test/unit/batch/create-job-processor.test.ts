import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createSlots } from "../../../packages/ground/waiting/create-slots.ts";
import { decideBatchAgent, isAgentUnchanged } from "../../../src/batch/decide-batch-agent.ts";
import { createJobProcessor } from "../../../src/batch/queue/create-job-processor.ts";
import { createSolitude } from "../../../src/batch/queue/create-solitude.ts";
import { packPayload } from "../../../src/batch/queue/payload.ts";
import type { QueueBackend, QueuedJob } from "../../../src/batch/queue/queue-backend.ts";
import { batchEnvironment, createBatchDirectory } from "../../helpers/batch-lanes.ts";

let directory: ReturnType<typeof createBatchDirectory>;
beforeEach(() => {
	directory = createBatchDirectory();
});
afterEach(() => directory.remove());

test("an agent that was changed since its batch was joined runs no further task of it", async () => {
	const agents = join(directory.path, ".pi/agent/agents");
	const writeAgent = (prompt: string) =>
		writeFileSync(
			join(agents, "helper.md"),
			`---\nname: helper\ndescription: Helps\ntools: read\n---\n${prompt}\n`,
		);
	mkdirSync(agents, { recursive: true });
	writeAgent("As agreed.");
	const delegate = { cwd: directory.path, env: batchEnvironment(directory.path), offline: true };
	const { agentHash } = await decideBatchAgent("helper", delegate);
	const execute = vi.fn(async () => ({
		kind: "finished" as const,
		result: { status: "done" as const, costUsd: 0, durationMs: 1, attempts: 1 },
	}));
	const waiting = new Error("waiting");
	const { process } = createJobProcessor({
		backend: { waitingError: () => waiting } as unknown as QueueBackend,
		execute: execute as never,
		solitude: createSolitude(createSlots(1)),
		agents: ["helper"],
		isTrusted: async () => true,
		isUnchanged: (agent) => isAgentUnchanged(agent, agentHash, delegate),
	});
	const job = {
		data: packPayload({ id: "1", key: "k", agent: "helper", task: "help" }),
		moveToWait: vi.fn(async () => undefined),
	} as unknown as QueuedJob;
	const { signal } = new AbortController();
	await process(job, "token", signal);
	expect(execute).toHaveBeenCalledTimes(1);
	writeAgent("Something else.");
	await expect(process(job, "token", signal)).rejects.toBe(waiting);
	expect(job.moveToWait).toHaveBeenCalledWith("token");
	expect(execute).toHaveBeenCalledTimes(1);
});
