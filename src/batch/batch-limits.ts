const MIB = 1024 * 1024;

/** Caps and waiting times of batches, with the reason where it is not obvious. */
export const BATCH_LIMITS = {
	defaultConcurrency: 4,
	maxConcurrency: 256,
	/** All tasks of a batch are known before the first one starts. */
	maxTasks: 1_000_000,
	/** They are on a disk while the batch runs. */
	maxInputBytes: 16 * 1024 * MIB,
	/** The fields of a longer row are not repeated in its line of the output. */
	maxInputChars: MIB,
	/** Records that are written but not yet synced or read by the caller. More, and no new task starts. */
	maxUnreadRecords: 1000,
	/** The first pause after a quota error that names no time; doubled for each further one. */
	firstQuotaPauseMs: 5000,
	longestQuotaPauseMs: 5 * 60_000,
	/** How long a batch waits for its provider before it stops early. The same command continues later. */
	maxQuotaWaitMs: 60 * 60_000,
	/** How often a task runs again that failed for a reason that passes: after 1, 5, 25 seconds, and so on. */
	defaultRetries: 2,
	maxRetries: 5,
	/** So many failures of one kind in a row are no longer the tasks' own. */
	maxFailureStreak: 10,
	/** What one task may change, as a patch. Compressed it has to fit into what a worker may return. */
	maxPatchBytes: 16 * MIB,
	controlPollMs: 500,
	/** Largest file that is hashed for its key. */
	maxGlobbedFileBytes: 64 * MIB,
	maxGlobOutputBytes: 64 * MIB,
	globTimeoutMs: 60_000,
	gitTimeoutMs: 20_000,
} as const;
