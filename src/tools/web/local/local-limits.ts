const MIB = 1024 * 1024;

/** What the local index takes in. Beyond these it is honest about being partial rather than slow or large. */
export const LOCAL_LIMITS = {
	maxFiles: 5000,
	maxFileBytes: 512 * 1024,
	maxTotalBytes: 20 * MIB,
	maxDirectories: 20_000,
	maxDepth: 8,
	maxSectionChars: 6000,
	/** Of one file, so that one long page does not fill an answer. */
	maxHitsPerFile: 2,
	maxIndexFileBytes: 256 * MIB,
	maxCachedProjects: 20,
} as const;
