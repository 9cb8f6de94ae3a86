/** Times and sizes of the queue lane. */
export const QUEUE_LIMITS = {
	/** A worker that is silent for so long has lost its tasks. Renewed every half of it. */
	leaseMs: 30_000,
	/** A task that was lost with its worker this often fails: it may be what kills the worker. */
	maxLostWorkers: 2,
	/** How long one attempt to connect may take. */
	probeMs: 4000,
	/** A command without an answer for so long is worth a word. */
	silenceMs: 5000,
	/** Whoever leaves waits so long for a server that may be gone. */
	leaveMs: 1500,
	/** How long `batch status` and the like wait for a server. */
	maxControlWaitMs: 8000,
	/** After an error of the connection. */
	retryDelayMs: 1000,
	/** A server that is gone for longer ends the batch; nothing finished is lost. */
	maxUnreachableMs: 10 * 60_000,
	/** How long a free worker sleeps when another one was woken for a task and has no slot for it. */
	idleSeconds: 1,
	/** How long a batch that goes later leaves a free slot to one that goes first and has just given one back. */
	yieldMs: 50,
	tasksPerBulk: 500,
	resultsPerPage: 200,
	/** How often the collector looks for results: quickly while they come, slowly while they do not. */
	shortestPollMs: 20,
	longestPollMs: 400,
	statusPollMs: 1000,
	/** How often a worker looks for batches to join and leave. */
	directoryPollMs: 1000,
	maxDirectoryEntries: 1000,
	/** A worker that has not renewed its entry for so long is not listed. */
	workerEntryMs: 20_000,
	/** How long a batch's entry is watched before its collector is taken for dead. */
	claimWatchMs: 4000,
	/** How long a worker leaves tasks alone of a server that was away, until it sees that somebody collects. */
	maxDoubtMs: 15_000,
	/** Tasks that wait for so long, although workers are there, are worth a word. */
	idleNoticeMs: 60_000,
	/** How long a cancelled batch waits for its workers to stop. */
	cancelGraceMs: 10_000,
	/** The commit of a workspace is looked up again after this time. */
	identityAgeMs: 10_000,
} as const;
