const LOW_BYTES = 512 * 1024 * 1024;

/**
 * Whether the machine, or the container this process is in, is short of memory. Only Linux reports what is available; free
 * memory elsewhere does not include what the system could reclaim at once.
 */
export function isMemoryLow(
	platform: NodeJS.Platform = process.platform,
	availableBytes: number = process.availableMemory(),
): boolean {
	return platform === "linux" && availableBytes < LOW_BYTES;
}
