import { codeOf } from "@deputize/ground";
import { DelegationError } from "../contract/error-codes.ts";
import { type FileLock, takeFileLock } from "../process/take-file-lock.ts";

/** Takes `<session file>.lock`, or refuses at once when a living process has it. */
export function lockSession(file: string): FileLock {
	const lock = takeOrRefuse(`${file}.lock`);
	if (lock !== undefined) return lock;
	throw new DelegationError(
		"SUBAGENT_FAILED",
		"The session is busy: another run of it has not ended. Wait for it, or leave the session id out to start a new session.",
	);
}

function takeOrRefuse(path: string): FileLock | undefined {
	try {
		return takeFileLock(path);
	} catch (error) {
		const reason = codeOf(error);
		throw new DelegationError(
			"SUBAGENT_FAILED",
			`The session cannot be locked: ${path} cannot be written (${reason}). Free space or correct the permissions there.`,
		);
	}
}
