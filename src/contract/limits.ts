const KIB = 1024;
const MIB = 1024 * KIB;

/** Everything that grows has its cap here, with the reason a number is what it is where that is not obvious. */
export const LIMITS = {
	/** One line of a child's output. Longer ones are skipped, not fatal: pi repeats whole transcripts on one line. */
	maxLineBytes: 16 * MIB,
	maxStdoutBytes: 256 * MIB,
	maxStderrBytes: 64 * MIB,
	stderrTailBytes: 64 * KIB,
	/** What a model receives unless its host asks for more or less: some clients show a model 2,000 characters of a text over 25,000. */
	resultBytes: 24_000,
	/** The most a host may ask for. */
	maxResultBytes: 200 * KIB,
	maxResultLines: 5000,
	/** Text of a child in a result. */
	maxOutputChars: 2 * MIB,
	/** Text kept of a running child: more than is returned, so that a secret across that end can be seen whole. */
	maxKeptTextChars: 2 * MIB + 64 * KIB,
	maxDisplayItems: 200,
	/** Commands of a run that are told. */
	maxKeptCommands: 50,
	/** Of a patch in a result. The stored one is whole. */
	maxPatchBytes: 64 * KIB,
	/** Texts of one run that are kept for a handover that fails. */
	maxKeptTexts: 200,
	maxDisplayArgumentChars: 2000,
	maxTaskBytes: 16 * MIB,
	/** Calls of one host that wait for a slot. Each is prepared so that it can be joined, which takes tens of milliseconds. */
	maxWaitingCalls: 200,
	maxAgentNameChars: 64,
	/** A session's file is named after its agent, and file names have at most 255 bytes. */
	maxAgentNameBytes: 192,
	maxAgentFileBytes: 64 * KIB,
	maxFrontmatterBytes: 8 * KIB,
	/** It travels to the child in an environment variable, and to the model with every request. */
	maxOutputSchemaBytes: 32 * KIB,
	maxAgentFilesPerDirectory: 200,
	maxConfigBytes: 256 * KIB,
	maxSessionFileBytes: 64 * MIB,
	maxSessionHeaderBytes: 1 * MIB,
	/** SIGTERM to SIGKILL. pi answers SIGTERM in about 20 ms; a loaded machine needs far longer. */
	stopGraceMs: 3000,
	/** After a child settled or exited, how long its pipes may still deliver. */
	drainMs: 2000,
	retryBackoffMs: 500,
	/** Updates to a host, at most one per this time. */
	updateIntervalMs: 100,
} as const;

/** The longest a timer of Node can wait, about 24 days; a longer one would go off at once. */
export const MAX_TIMEOUT_MS = 2 ** 31 - 1;

/** Names that may become part of a path: refused rather than cleaned when they do not match. */
const AGENT_NAME = /^[\p{L}\p{N}][\p{L}\p{M}\p{N}._-]{0,63}$/u;

export function isAgentName(name: string): boolean {
	return AGENT_NAME.test(name) && Buffer.byteLength(name) <= LIMITS.maxAgentNameBytes;
}

export const SESSION_ID_PATTERN = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
