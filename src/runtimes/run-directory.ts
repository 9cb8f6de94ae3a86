import { lstatSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { findForeignDirectory, listIfThere, makePrivateDirectory, RefusedPathError } from "@deputize/ground";
import { DelegationError } from "../contract/error-codes.ts";
import { runAtExit } from "../process/live-children.ts";
import { isRunning, readProcess } from "../process/read-process-table.ts";

/** A private directory for the files of one run. Its name identifies the owner, so that it can be swept. */
interface RunDirectory {
	readonly path: string;
	write(name: string, text: string): string;
	remove(): void;
}

const NAME = /^(\d+)-(\d+)-\w+$/;

/** Below the user's own agent directory: in a shared /tmp anybody could put something where a sweep looks. */
const runsDirectory = (agentDirectory: string): string => join(agentDirectory, "deputize", "runs");

export function createRunDirectory(agentDirectory: string): RunDirectory {
	sweepRunDirectories(agentDirectory);
	const startTime = readProcess(process.pid)?.startTime ?? 0;
	const path = attempt(() =>
		makePrivateDirectory(`${process.pid}-${startTime}-`, openRunsDirectory(agentDirectory)),
	);
	const removeNow = (): void => rmSync(path, { recursive: true, force: true });
	const forget = runAtExit(removeNow);
	return {
		path,
		remove() {
			forget();
			removeNow();
		},
		write(name, text) {
			const file = join(path, name);
			attempt(() => writeFileSync(file, text, { mode: 0o600, flag: "wx" }));
			return file;
		},
	};
}

/** Starts something that has a run directory and removes it at its end; where nothing starts, it is removed at once. */
export async function startInRunDirectory<Started>(
	agentDirectory: string,
	start: (directory: RunDirectory) => Promise<Started>,
): Promise<Started> {
	const directory = createRunDirectory(agentDirectory);
	try {
		return await start(directory);
	} catch (error) {
		directory.remove();
		throw error;
	}
}

/** Stands for a run directory in descriptions, where none is made. */
export function nameRunDirectory(agentDirectory: string): string {
	return join(runsDirectory(agentDirectory), "…");
}

/** If the home directory is not writable, or others can write to ours, the system's temporary directory is used. */
function openRunsDirectory(agentDirectory: string): string {
	const directory = runsDirectory(agentDirectory);
	try {
		mkdirSync(directory, { recursive: true, mode: 0o700 });
		return findForeignDirectory(agentDirectory, directory) === undefined ? directory : tmpdir();
	} catch (error) {
		const { code = "" } = error as NodeJS.ErrnoException;
		if (["EACCES", "EPERM", "EROFS", "ENOTDIR"].includes(code)) return tmpdir();
		throw error;
	}
}

function attempt<T>(work: () => T): T {
	try {
		return work();
	} catch (error) {
		if (error instanceof RefusedPathError) throw new DelegationError("SUBAGENT_FAILED", error.message);
		const { code, message } = error as NodeJS.ErrnoException;
		throw new DelegationError(
			"SUBAGENT_FAILED",
			`A temporary file for the run cannot be written (${code ?? message}). Free space in pi's agent directory, or fix its permissions.`,
		);
	}
}

/**
 * Removes directories whose owner was killed before it could do so. A leftover that cannot be removed must not keep a
 * run from starting; the health check reports it.
 */
function sweepRunDirectories(agentDirectory: string): void {
	for (const path of listLeftRunDirectories(agentDirectory)) {
		try {
			rmSync(path, { recursive: true, force: true });
		} catch {
			// Reported by `listLeftRunDirectories` until someone with the necessary permissions removes it.
		}
	}
}

export function listLeftRunDirectories(agentDirectory: string): readonly string[] {
	// Without /proc nothing is known about the owner, so nothing is touched.
	if (readProcess(process.pid) === undefined) return [];
	const parent = runsDirectory(agentDirectory);
	return listIfThere(parent)
		.map((name) => ({ path: join(parent, name), match: NAME.exec(name) }))
		.filter(({ match }) => match && !isRunning({ pid: Number(match[1]), startTime: Number(match[2]) }))
		.map(({ path }) => path)
		.filter(isOwnDirectory);
}

/** A directory itself, not a link to one, that belongs to this user. */
function isOwnDirectory(path: string): boolean {
	const entry = lstatSync(path, { throwIfNoEntry: false });
	return entry?.isDirectory() === true && entry.uid === (process.getuid?.() ?? entry.uid);
}
