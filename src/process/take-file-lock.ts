import { randomUUID } from "node:crypto";
import { closeSync, lstatSync, openSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { asObject, codeOf, defined, parseJson, withRegularFile } from "@deputize/ground";
import {
	identifyProcess,
	identifyProcessSpace,
	isProcessAlive,
	isThisMachine,
	type ProcessIdentity,
} from "./identify-process.ts";
import { runAtExit } from "./live-children.ts";
import { lockDescriptor } from "./lock-descriptor.ts";

interface LockContent extends ProcessIdentity {
	readonly host: string;
	readonly nonce: string;
	/** From `identifyProcessSpace`. */
	readonly space?: string;
	/** The kernel has a lock of its holder as well. */
	readonly isKernelLocked?: boolean;
	/** The child may outlive a killed parent for a moment, and it is the one that writes. */
	readonly child?: ProcessIdentity;
}

export interface FileLock {
	/** Names the child process that does the writing, as soon as it is known. */
	noteChild(pid: number): void;
	release(): void;
}

/** A lock without readable content is being written right now, or its writer died in between. */
const UNREADABLE_IS_STALE_AFTER_MS = 10_000;
const MAX_TRIES = 3;

/**
 * Takes the lock file, or returns undefined at once if a living process holds it. A lock left by a dead process is
 * taken over. Throws the system's error when the file cannot be written. With the descriptor of what is locked, the
 * kernel is asked as well: it also knows processes that cannot be seen from here, those of other containers.
 */
export function takeFileLock(path: string, descriptor?: number): FileLock | undefined {
	const isKernelLocked = descriptor === undefined ? undefined : lockDescriptor(descriptor);
	if (isKernelLocked === false) return undefined;
	const content: LockContent = {
		...identifyProcess(process.pid),
		host: hostname(),
		nonce: randomUUID(),
		space: identifyProcessSpace(),
		...defined({ isKernelLocked }),
	};
	const isHeld = (holder: LockContent): boolean => {
		if (isKernelLocked && holder.isKernelLocked) return false;
		return isAlive(holder, descriptor !== undefined);
	};
	for (let tries = 0; tries < MAX_TRIES; tries += 1) {
		if (createLock(path, content)) return heldLock(path, content);
		const holder = readLock(path);
		if (holder !== "gone" && (holder === "unreadable" || isHeld(holder))) return undefined;
		if (holder !== "gone") removeStale(path, holder);
	}
	return undefined;
}

/** The process that holds the lock, if any. On another machine it counts as alive. */
export function readLockHolder(path: string): { readonly pid: number; readonly host: string } | undefined {
	const holder = readLock(path);
	return typeof holder === "object" && isAlive(holder, true)
		? { pid: holder.pid, host: holder.host }
		: undefined;
}

function createLock(path: string, content: LockContent): boolean {
	let descriptor: number;
	try {
		descriptor = openSync(path, "wx", 0o600);
	} catch (error) {
		if (codeOf(error) === "EEXIST") return false;
		throw error;
	}
	try {
		writeFileSync(descriptor, JSON.stringify(content));
		return true;
	} catch (error) {
		// On a full disk the file now exists, without content.
		rmSync(path, { force: true });
		throw error;
	} finally {
		closeSync(descriptor);
	}
}

function heldLock(path: string, content: LockContent): FileLock {
	const isOurs = (): boolean => {
		const now = readLock(path);
		return typeof now === "object" && now.nonce === content.nonce;
	};
	const releaseNow = (): void => {
		if (isOurs()) rmSync(path, { force: true });
	};
	const forget = runAtExit(releaseNow);
	return {
		noteChild(pid) {
			// Over the shorter text that is there, without emptying the file first: ext4 writes a file that was emptied to the disk
			// when it is closed, and removing the lock then waits for the disk, up to 30 ms.
			if (isOurs())
				writeFileSync(path, JSON.stringify({ ...content, child: identifyProcess(pid) }), { flag: "r+" });
		},
		release() {
			forget();
			releaseNow();
		},
	};
}

function readLock(path: string): LockContent | "gone" | "unreadable" {
	if (lstatSync(path, { throwIfNoEntry: false }) === undefined) return "gone";
	// Neither through a link nor from a pipe, which somebody can have left in its place.
	const text = withRegularFile(path, (descriptor) => readFileSync(descriptor, "utf8"));
	const parsed = asObject(text === undefined ? undefined : parseJson(text)) as Partial<LockContent>;
	if (typeof parsed.pid === "number" && typeof parsed.nonce === "string") return parsed as LockContent;
	return oldEnough(path) ? { pid: 0, host: hostname(), nonce: "" } : "unreadable";
}

function oldEnough(path: string): boolean {
	try {
		return Date.now() - lstatSync(path).mtimeMs > UNREADABLE_IS_STALE_AFTER_MS;
	} catch {
		return true;
	}
}

/**
 * Two processes can find the same stale lock. Moving it aside and checking what was moved makes sure that the
 * slower one does not take away the lock the faster one has just made.
 */
function removeStale(path: string, stale: LockContent): void {
	const aside = `${path}.${randomUUID()}`;
	try {
		renameSync(path, aside);
	} catch {
		return;
	}
	const moved = readLock(aside);
	if (typeof moved === "object" && moved.nonce !== stale.nonce) renameSync(aside, path);
	else rmSync(aside, { force: true });
}

/** `minds`: whether it counts that another container may have our host's name; its processes have other numbers. */
function isAlive(lock: LockContent, minds: boolean): boolean {
	// A process on another machine cannot be checked: better locked forever than two writers.
	if (!isThisMachine(lock.host)) return true;
	if (minds && isElsewhere(lock.space)) return true;
	return isProcessAlive(lock) || (lock.child !== undefined && isProcessAlive(lock.child));
}

/** In another namespace of the same boot. After another boot, nothing of before is alive. */
function isElsewhere(space = ""): boolean {
	const here = identifyProcessSpace();
	const [boot] = space.split(" ");
	return space !== "" && space !== here && boot === here.split(" ")[0];
}
