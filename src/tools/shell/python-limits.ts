import { ToolError } from "@deputize/ground";

export interface PythonLimits {
	readonly memoryMb: number;
	readonly timeoutMs: number;
}

/** What code may print; more ends the run. */
export const MAX_PYTHON_OUTPUT_BYTES = 1024 * 1024;
export const MAX_PYTHON_CODE_CHARS = 1024 * 1024;
const MIN_MEMORY_MB = 64;
const MAX_MEMORY_MB = 2048;
const MAX_TIMEOUT_SECONDS = 300;

/** "512m", "1g", "65536k" or bytes. */
export function parseMemory(text: string): number {
	const match = /^(\d{1,12})\s*([kmg]?)i?b?$/i.exec(text.trim());
	if (match === null) throw new ToolError("INVALID_INPUT", 'mem must look like "512m" or "1g"');
	const unit = { k: 1 / 1024, m: 1, g: 1024, "": 1 / (1024 * 1024) }[(match[2] ?? "").toLowerCase()] ?? 1;
	const megabytes = Math.floor(Number(match[1]) * unit);
	if (megabytes < MIN_MEMORY_MB || megabytes > MAX_MEMORY_MB) {
		throw new ToolError("INVALID_INPUT", `mem must be from ${MIN_MEMORY_MB}m to ${MAX_MEMORY_MB}m`);
	}
	return megabytes;
}

export function parseSeconds(seconds: number): number {
	if (!(seconds > 0) || seconds > MAX_TIMEOUT_SECONDS) {
		throw new ToolError("INVALID_INPUT", `timeout must be a number of seconds up to ${MAX_TIMEOUT_SECONDS}`);
	}
	return seconds * 1000;
}
