const KIB = 1024;
const MIB = 1024 * KIB;

/** Everything in this room that grows or waits has its number here. */
export const LSP_LIMITS = {
	/** What a model receives from one call. */
	maxTextChars: 60_000,
	defaultPageItems: 50,
	maxPageItems: 200,
	/** Files of one `workspace-diagnostics` call that names them. */
	maxNamedFiles: 64,
	/** Files of one `workspace-diagnostics` call that names none. */
	maxSweptFiles: 300,
	sweepParallelism: 4,
	maxHoverChars: 8_000,
	maxSourceLineChars: 200,
	/** Context lines are shown only while a page is this small. */
	maxItemsWithContext: 10,
	contextLinesAfterDefinition: 4,
	maxDiffChars: 30_000,
	maxQueryChars: 300,
	maxPathChars: 4_096,

	/** A file larger than this is not handed to a server. */
	maxDocumentBytes: 10 * MIB,
	maxOpenDocuments: 64,
	/** Files whose lines are kept for showing them. */
	maxKeptSources: 200,
	maxDiagnosticsPerFile: 500,
	maxFilesWithDiagnostics: 2_000,

	maxHeaderBytes: 8 * KIB,
	maxJunkBytes: 64 * KIB,
	maxMessageBytes: 64 * MIB,
	stderrShownChars: 2_000,

	/** A cold server may take this many times the configured request timeout. */
	coldTimeoutFactor: 4,
	settleIntervalMs: 300,
	/** A young server answers workspace-wide questions too early even without progress. */
	youngServerMs: 15_000,
	pushQuietMs: 150,
	/** For a server that checks a changed file only some time after the notification. */
	ownCheckMs: 5_000,
	shutdownRequestMs: 2_000,
	exitGraceMs: 2_000,
	/** After a server failed twice, calls answer with that failure for this long. */
	failureBackoffMs: 30_000,
	restartWindowMs: 60_000,
	maxServers: 12,

	maxWorkspaceFiles: 20_000,
	maxWatchedDirectories: 2_000,
	maxWorkspaceDepth: 24,
	/** Even with directory watches, everything is checked again after this time. */
	fullScanIntervalMs: 2_000,
	maxScannedTextBytes: 256 * MIB,
	maxScannedFileBytes: 1 * MIB,
	maxNameFiles: 24,
	maxServersPerNameSearch: 4,
	generatedCompileCommands: 5_000,
	indexMaxAgeDays: 30,

	maxSocketMessageBytes: 1 * MIB,
	/** Children ask few questions at a time; beyond this somebody is playing with the socket. */
	maxSocketConnections: 512,
	/** Questions of one child, and of all children, that are worked on at the same time. The rest wait their turn. */
	maxQuestionsOfAChild: 8,
	maxSharedQuestions: 32,
	/** Room for the text and details of one answer. */
	maxSocketAnswerBytes: 8 * MIB,
	/** The kernel accepts for a process that is busy, so only a parent that is gone or stopped takes this long. */
	socketConnectMs: 10_000,
	/** What a parent may take beyond its own deadline for the answer. */
	socketAnswerMarginMs: 5_000,

	maxEditedFiles: 16,
	maxFollowUps: 2,
	maxRememberedTextBytes: 2 * MIB,
} as const;
