import { lstatSync, rmdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { listIfThere, statIfThere, writeAtomically } from "@deputize/ground";
import { answersRoot } from "../judge/answers-directory.ts";
import { lockSession } from "./lock-session.ts";
import { parseSessionName, sessionsRoot } from "./session-path.ts";

const DAY_MS = 24 * 60 * 60 * 1000;
const LOCK_ENDING = ".lock";
const MOVED_LOCK = /\.jsonl\.lock\.[0-9a-f-]{36}$/;
const MOVED_LOCK_AGE_MS = 10_000;
const HASH_DIRECTORY = /^[0-9a-f]{16}$/;

/**
 * Removes sessions nobody has continued for `maxAgeDays`. Looks at most once a day, so that a delegation
 * never pays for a directory full of old sessions. Returns how many were removed.
 */
export function sweepSessions(options: {
	readonly home: string;
	readonly maxAgeDays: number;
	readonly now?: number;
}): number {
	const root = sessionsRoot(options.home);
	const now = options.now ?? Date.now();
	const marker = join(root, ".swept");
	if (now - modified(marker) < DAY_MS) return 0;
	try {
		writeAtomically(marker, "");
	} catch {
		// Where nothing can be written nothing can be swept; whoever opens the session says so.
		return 0;
	}
	const oldest = now - options.maxAgeDays * DAY_MS;
	const removed = listProjects(root).reduce((sum, name) => sum + sweepDirectory(join(root, name), oldest), 0);
	for (const name of listProjects(answersRoot(options.home)))
		sweepAnswers(join(answersRoot(options.home), name), join(root, name), oldest);
	return removed;
}

/** Removes what runs that were killed have left next to the sessions of a directory. */
export function sweepLocks(directory: string): void {
	for (const name of listIfThere(directory)) {
		const file = join(directory, name);
		if (isLockName(name)) removeStaleLock(file);
		// Left by a run that was killed in the moment in which it took over a stale lock.
		else if (MOVED_LOCK.test(name) && Date.now() - modified(file) > MOVED_LOCK_AGE_MS)
			rmSync(file, { force: true });
	}
}

function sweepDirectory(directory: string, oldest: number): number {
	const old = listIfThere(directory).filter(
		(name) => parseSessionName(name) !== undefined && isOld(join(directory, name), oldest),
	);
	const removed = old.filter((name) => removeSession(join(directory, name))).length;
	sweepLocks(directory);
	removeIfEmpty(directory);
	return removed;
}

/** An answer is kept as long as its session, which may be continued for longer than any answer is young. */
function sweepAnswers(directory: string, sessions: string, oldest: number): void {
	const kept = new Set(listIfThere(sessions).map((name) => parseSessionName(name)?.sessionId));
	// A young one may be there for a child that waits, and sees no other in its place.
	const isUnused = modified(directory) < oldest;
	for (const name of listIfThere(directory)) {
		const [sessionId] = name.split("_", 1);
		const file = join(directory, name);
		if (!kept.has(sessionId) && isOld(file, oldest)) rmSync(file, { force: true });
	}
	if (isUnused) removeIfEmpty(directory);
}

function listProjects(root: string): readonly string[] {
	return listIfThere(root).filter((name) => HASH_DIRECTORY.test(name));
}

function removeIfEmpty(directory: string): void {
	try {
		rmdirSync(directory);
	} catch {
		// Not empty: the usual case.
	}
}

function isLockName(name: string): boolean {
	return name.endsWith(LOCK_ENDING) && parseSessionName(name.slice(0, -LOCK_ENDING.length)) !== undefined;
}

function isOld(file: string, oldest: number): boolean {
	const entry = lstatSync(file, { throwIfNoEntry: false });
	return entry?.isFile() === true && entry.mtimeMs < oldest;
}

/** Taking the lock first keeps others off a session that is just being resumed. False when somebody has it. */
export function removeSession(file: string): boolean {
	try {
		const lock = lockSession(file);
		rmSync(file, { force: true });
		lock.release();
		return true;
	} catch {
		return false;
	}
}

/** A run that was killed before its child wrote a session leaves a lock that nobody would ever ask for again. */
function removeStaleLock(lockFile: string): void {
	try {
		lockSession(lockFile.slice(0, -LOCK_ENDING.length)).release();
	} catch {
		// Held by a run that goes on.
	}
}

function modified(file: string): number {
	return statIfThere(file)?.mtimeMs ?? 0;
}
