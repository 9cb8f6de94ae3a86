import { DelegationError } from "../contract/error-codes.ts";
import type { DelegateOptions } from "../delegation/delegate-options.ts";
import { validateRequest } from "../delegation/validate-request.ts";
import { BatchError } from "./batch-error.ts";
import type { BatchTask } from "./batch-record.ts";
import { type BatchAgent, decideBatchAgent } from "./decide-batch-agent.ts";
import { toTaskKey } from "./to-task-key.ts";

/** What a caller asks for: one delegation. */
export interface TaskRequest {
	/** Names the task in the output; its position, counted from 1, when not given. */
	readonly id?: string | undefined;
	readonly agent: string;
	readonly task: string;
	/** Hash of anything else the answer depends on, such as a file: a change makes it a new task. */
	readonly fingerprint?: string | undefined;
}

export interface PreparedTasks {
	readonly tasks: readonly BatchTask[];
	readonly agents: ReadonlyMap<string, BatchAgent>;
	/** Keys of the tasks that the caller named. A number by position says nothing about the task. */
	readonly keysById: ReadonlyMap<string, string>;
}

/** Checks every task before the first one starts: one that cannot run makes the whole batch refuse. */
export async function buildBatchTasks(
	requests: Iterable<TaskRequest> | AsyncIterable<TaskRequest>,
	options: DelegateOptions,
): Promise<PreparedTasks> {
	const agents = new Map<string, BatchAgent>();
	const ids = new Set<string>();
	const occurrences = new Map<string, number>();
	const keysById = new Map<string, string>();
	const tasks: BatchTask[] = [];
	for await (const request of requests) {
		const id = request.id ?? String(tasks.length + 1);
		if (ids.has(id))
			throw new BatchError(`The id ${JSON.stringify(id)} occurs twice. Give every task its own.`);
		ids.add(id);
		const { agent, task } = validateTask(request, id);
		const decided = agents.get(agent) ?? (await decideBatchAgent(agent, options));
		agents.set(agent, decided);
		const parts = {
			agentHash: decided.agentHash,
			task,
			model: decided.model,
			fingerprint: request.fingerprint,
		};
		const first = toTaskKey({ ...parts, occurrence: 0 });
		const occurrence = occurrences.get(first) ?? 0;
		occurrences.set(first, occurrence + 1);
		const key = occurrence === 0 ? first : toTaskKey({ ...parts, occurrence });
		if (request.id !== undefined) keysById.set(id, key);
		tasks.push({ id, key, agent, task });
	}
	return { tasks, agents, keysById };
}

function validateTask(request: TaskRequest, id: string): { readonly agent: string; readonly task: string } {
	try {
		return validateRequest({ agent: request.agent, task: request.task });
	} catch (error) {
		if (error instanceof DelegationError)
			throw new BatchError(`Task ${JSON.stringify(id)}: ${error.message}`);
		throw error;
	}
}
