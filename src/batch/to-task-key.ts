import { fingerprint, isObject } from "@deputize/ground";
import type { AgentDefinition } from "../contract/agent.ts";

const KEY_CHARS = 32;

interface KeyParts {
	/** From `toAgentHash`. */
	readonly agentHash: string;
	readonly task: string;
	readonly model: string | undefined;
	/** Hash of a file the task is about. */
	readonly fingerprint?: string | undefined;
	/** What it may do is no part of an agent's file. */
	readonly worksInLayer?: boolean;
	/** How many equal tasks come before this one: each row gets its own line. */
	readonly occurrence: number;
}

/**
 * The identity of a task. It is computed once, where the batch starts, and travels with the task: a database may
 * reorder the fields of what it stores. Position in the input is no part of it, so a row can be inserted anywhere.
 */
export function toTaskKey({ agentHash, task, model, occurrence, worksInLayer, ...file }: KeyParts): string {
	const parts = {
		version: 1,
		agent: agentHash,
		task,
		model: model ?? null,
		file: file.fingerprint ?? null,
		...(occurrence === 0 ? {} : { occurrence }),
		...(worksInLayer === true ? { writes: true } : {}),
	};
	return fingerprint(toCanonicalJson(parts), KEY_CHARS);
}

/** What an agent is, without what only people read: a reworded description repeats nothing. */
export function toAgentHash(agent: AgentDefinition): string {
	const {
		source: _,
		file: _file,
		contentHash: _hash,
		shadows: _shadows,
		doubts: _doubts,
		description: _text,
		...rest
	} = agent;
	const content = { ...rest, prompt: agent.prompt.trim() };
	return fingerprint(toCanonicalJson(content));
}

/** JSON with sorted keys: the same text for the same value, whatever database or parser it went through. */
function toCanonicalJson(value: unknown): string {
	return JSON.stringify(value, (_key, item: unknown) => {
		if (!isObject(item)) return item;
		return Object.fromEntries(Object.entries(item).sort(([left], [right]) => (left < right ? -1 : 1)));
	});
}
