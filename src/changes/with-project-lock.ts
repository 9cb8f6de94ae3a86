import { createHash } from "node:crypto";
import { join } from "node:path";
import { openOwnDirectory, sleep } from "@deputize/ground";
import { readLockHolder, takeFileLock } from "../process/take-file-lock.ts";
import { changesDirectory } from "./changes-directory.ts";
import { ChangesError } from "./changes-error.ts";

const WAIT_MS = 60_000;
const LOOK_EVERY_MS = 50;

/** One at a time writes to a project; others wait for their turn. With `waitMs` 0 the answer is undefined when it is taken. */
export async function withProjectLock<Made>(
	{ agentDirectory, project, waitMs = WAIT_MS }: { agentDirectory: string; project: string; waitMs?: number },
	work: () => Promise<Made>,
): Promise<Made | undefined> {
	const directory = changesDirectory(agentDirectory);
	openOwnDirectory(directory).close();
	const file = join(directory, `${createHash("sha256").update(project).digest("hex").slice(0, 16)}.lock`);
	const endsAt = Date.now() + waitMs;
	let lock = takeFileLock(file);
	while (lock === undefined && Date.now() < endsAt) {
		await sleep(LOOK_EVERY_MS);
		lock = takeFileLock(file);
	}
	if (lock === undefined) {
		if (waitMs === 0) return undefined;
		throw new ChangesError(
			`Process ${readLockHolder(file)?.pid ?? "of another machine"} has been writing changes to ${project} for ${waitMs / 1000} s. Nothing was changed. Try again when it is done.`,
		);
	}
	try {
		return await work();
	} finally {
		lock.release();
	}
}
