import { defined } from "@deputize/ground";
import { DelegationError } from "../contract/error-codes.ts";
import type { DelegateOptions } from "../delegation/delegate-options.ts";
import { validateRequest } from "../delegation/validate-request.ts";
import { BatchError } from "./batch-error.ts";
import { BATCH_LIMITS } from "./batch-limits.ts";
import type { BatchTask } from "./batch-record.ts";
import { createDigestTable, digestKey } from "./create-digest-table.ts";
import { createTaskStore, type TaskStore } from "./create-task-store.ts";
import { type BatchAgent, decideBatchAgent } from "./decide-batch-agent.ts";
import { toEntryId } from "./ledger/ledger-entry.ts";
import { toTaskKey } from "./to-task-key.ts";

/** What a caller asks for: one delegation. */
export interface TaskRequest {
	/** Names the task in the output; its position, counted from 1, when not given. */
	readonly id?: string | undefined;
	readonly agent: string;
	readonly task: string;
	/** Hash of anything else the answer depends on, such as a file: a change makes it a new task. */
	readonly fingerprint?: string | undefined;
	/** Carried into the record as it is; no part of what the agent is asked. */
	readonly input?: Readonly<Record<string, unknown>> | undefined;
}

export interface PreparedTasks {
	/** Whoever prepared them closes it. */
	readonly tasks: TaskStore;
	readonly agents: ReadonlyMap<string, BatchAgent>;
	/** The key of a task that the caller named, by the id of its entry. A number by position says nothing about the task. */
	readonly findNamed: (entryId: string) => string | undefined;
}

const KEY_BYTES = 16;
const COUNT_BYTES = 4;

/** Checks every task before the first one starts: one that cannot run makes the whole batch refuse. */
export async function buildBatchTasks(
	requests: Iterable<TaskRequest> | AsyncIterable<TaskRequest>,
	options: DelegateOptions,
): Promise<PreparedTasks> {
	const agents = new Map<string, BatchAgent>();
	const ids = createDigestTable(KEY_BYTES);
	const occurrences = createDigestTable(COUNT_BYTES);
	const countOccurrence = (key: string): number => {
		const bytes = occurrences.bytesAt(occurrences.add(digestKey(key)));
		const before = bytes.readUInt32LE();
		bytes.writeUInt32LE(before + 1);
		return before;
	};
	const tasks = createTaskStore();
	const toTask = async (request: TaskRequest): Promise<BatchTask> => {
		const id = request.id ?? String(tasks.size() + 1);
		const row = ids.add(Buffer.from(toEntryId(id), "hex"));
		if (row < tasks.size())
			throw new BatchError(`The id ${JSON.stringify(id)} occurs twice. Give every task its own.`);
		if (row >= BATCH_LIMITS.maxTasks)
			throw new BatchError(`A batch takes at most ${BATCH_LIMITS.maxTasks} tasks. Split it.`);
		const { agent, task } = validateTask(request, id);
		const decided = agents.get(agent) ?? (await decideBatchAgent(agent, options));
		agents.set(agent, decided);
		const parts = {
			agentHash: decided.agentHash,
			task,
			model: decided.model,
			fingerprint: request.fingerprint,
			worksInLayer: decided.worksInLayer,
		};
		const first = toTaskKey({ ...parts, occurrence: 0 });
		const occurrence = countOccurrence(first);
		const key = occurrence === 0 ? first : toTaskKey({ ...parts, occurrence });
		if (request.id !== undefined) ids.bytesAt(row).set(digestKey(key));
		return { id, key, agent, task, ...defined({ input: keepInput(request.input) }) };
	};
	try {
		for await (const request of requests) tasks.add(await toTask(request));
	} catch (error) {
		tasks.close();
		throw error;
	}
	const findNamed = (entryId: string): string | undefined => {
		const row = ids.find(Buffer.from(entryId, "hex"));
		const key = row === -1 ? NO_KEY : ids.bytesAt(row);
		return key.equals(NO_KEY) ? undefined : key.toString("hex");
	};
	return { tasks, agents, findNamed };
}

const NO_KEY = Buffer.alloc(KEY_BYTES);

/** A line of the output has its limit, and the answer needs most of it. */
function keepInput(input: TaskRequest["input"]): TaskRequest["input"] {
	return input !== undefined && JSON.stringify(input).length <= BATCH_LIMITS.maxInputChars
		? input
		: undefined;
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
