import { accessSync, constants, existsSync, statSync } from "node:fs";
import { join } from "node:path";
import { type Environment, messageOf } from "@deputize/ground";
import { searchPath } from "./find-executable.ts";

/** Why a program could not be started. */
export interface SpawnProblem {
	/** The system's name for the error, such as `ENOENT`; programs must decide by it, never by the message. */
	readonly code: string;
	readonly message: string;
}

interface Attempt {
	readonly command: string;
	readonly cwd: string;
	readonly env: Environment;
}

/** Undefined when the directory can be used. A missing one is otherwise reported by Node as a missing program. */
export function explainWorkingDirectory(cwd: string): SpawnProblem | undefined {
	try {
		if (!statSync(cwd).isDirectory())
			return { code: "ENOTDIR", message: `The working directory is not a directory: ${cwd}` };
		accessSync(cwd, constants.X_OK);
		return undefined;
	} catch (error) {
		const code = errorCode(error);
		const message =
			code === "ENOENT"
				? `The working directory does not exist: ${cwd}`
				: `The working directory may not be entered: ${cwd} (${code}). Check its permissions or name another.`;
		return { code, message };
	}
}

export function explainSpawnError(error: unknown, attempt: Attempt): SpawnProblem {
	const directory = explainWorkingDirectory(attempt.cwd);
	if (directory !== undefined) return directory;
	const code = isOnlyMissing(error, attempt) ? "ENOENT" : errorCode(error);
	return { code, message: describeSpawnError(code, error, attempt.command) };
}

/** If a directory on PATH may not be searched, the system reports EACCES even for a program that exists nowhere. */
function isOnlyMissing(error: unknown, { command, env }: Attempt): boolean {
	if (errorCode(error) !== "EACCES" || command.includes("/")) return false;
	return !searchPath(env).some((directory) => existsSync(join(directory, command)));
}

function describeSpawnError(code: string, error: unknown, command: string): string {
	switch (code) {
		case "ENOENT":
			return `The program was not found: ${command}. Install it or check PATH.`;
		case "EACCES":
		case "EPERM":
			return `The program may not be executed: ${command} (${code}). Check its permissions.`;
		case "E2BIG":
			return `The command line or environment for ${command} is larger than the system allows (E2BIG).`;
		case "EMFILE":
		case "ENFILE":
			return `Too many open files: ${command} could not be started (${code}). Close some or raise the limit (ulimit -n).`;
		case "EAGAIN":
		case "ENOMEM":
			return `The system has no room for another process: ${command} could not be started (${code}). Try again later or raise the limit (ulimit -u).`;
		default:
			return `${command} could not be started: ${messageOf(error)}`;
	}
}

function errorCode(error: unknown): string {
	const code = error instanceof Error && "code" in error ? error.code : undefined;
	return typeof code === "string" ? code : "unknown error";
}
