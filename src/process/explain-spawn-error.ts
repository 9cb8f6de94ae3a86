import { statSync } from "node:fs";

interface Attempt {
	readonly command: string;
	readonly cwd: string;
}

/** Undefined when the directory can be used. A missing one is otherwise reported by Node as a missing program. */
export function explainWorkingDirectory(cwd: string): string | undefined {
	try {
		return statSync(cwd).isDirectory() ? undefined : `The working directory is not a directory: ${cwd}`;
	} catch (error) {
		return errorCode(error) === "ENOENT"
			? `The working directory does not exist: ${cwd}`
			: `The working directory cannot be used: ${cwd} (${errorCode(error)})`;
	}
}

export function explainSpawnError(error: unknown, attempt: Attempt): string {
	const code = errorCode(error);
	const directory = explainWorkingDirectory(attempt.cwd);
	if (directory !== undefined) return directory;
	switch (code) {
		case "ENOENT":
			return `The program was not found: ${attempt.command}. Install it or check PATH.`;
		case "EACCES":
		case "EPERM":
			return `The program may not be executed: ${attempt.command} (${code}). Check its permissions.`;
		case "E2BIG":
			return `The command line or environment for ${attempt.command} is larger than the system allows (E2BIG).`;
		case "EMFILE":
		case "ENFILE":
			return `Too many open files: ${attempt.command} could not be started (${code}). Close some or raise the limit (ulimit -n).`;
		case "EAGAIN":
		case "ENOMEM":
			return `The system has no room for another process: ${attempt.command} could not be started (${code}). Try again later or raise the limit (ulimit -u).`;
		default:
			return `${attempt.command} could not be started: ${error instanceof Error ? error.message : String(error)}`;
	}
}

function errorCode(error: unknown): string {
	const code = error instanceof Error && "code" in error ? error.code : undefined;
	return typeof code === "string" ? code : "unknown error";
}
