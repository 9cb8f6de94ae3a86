import { createHash } from "node:crypto";
import {
	type BigIntStats,
	closeSync,
	fstatSync,
	lstatSync,
	openSync,
	readlinkSync,
	readSync,
	statSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { OPEN_REGULAR, rememberResults, sleep } from "@deputize/ground";
import { GitError } from "./git-error.ts";
import type { Repository } from "./open-repository.ts";

export interface WorkChange {
	/** From the top of the repository. */
	readonly path: string;
	/** Names its content in the last commit; undefined: it is new. */
	readonly before: string | undefined;
	/** Names its content now; undefined: it is gone, or neither a file nor a link any more. */
	readonly after: string | undefined;
}

interface WorkOptions {
	/** Files that may be untracked, from the top of the repository. */
	readonly files: readonly string[];
	/** Only below this directory: empty, or with `/` at its end. */
	readonly below: string;
	/**
	 * Reads every file, those of submodules too. Otherwise a file is taken for unchanged when Git's own note of its size and
	 * time says so: then one that a filter made, as Git LFS does, is no change.
	 */
	readonly isExact: boolean;
	readonly timeoutMs: number;
}

interface IndexNote {
	readonly name: string;
	readonly mtimeNs: bigint;
	readonly size: bigint;
	/** Not checked out on purpose, as in a sparse checkout. */
	readonly isLeftOut: boolean;
}

/** Mode, hash, stage and name; then what Git noted about the file when it last looked. */
const INDEX_ENTRY =
	/(\d{6}) ([0-9a-f]{40,64}) \d\t([^\0]+)\0(?: {2}ctime: \d+:\d+\n {2}mtime: (\d+):(\d+)\n {2}dev: [^\n]*\n {2}uid: [^\n]*\n {2}size: (\d+)\tflags: ([0-9a-f]+)\n)?/g;
const TREE_ENTRY = /^(\d{6}) \w+ ([0-9a-f]{40,64})\t([\s\S]+)$/;
const SKIP_WORKTREE = 0x40000000;
const CHUNK_BYTES = 1024 * 1024;
const PAUSE_AFTER_MS = 20;

/**
 * What differs between the last commit and the files. Git says what the commit contains; the files are read and compared by
 * us, so that no filter of the repository is asked.
 */
export async function listWorkChanges(repository: Repository, options: WorkOptions): Promise<WorkChange[]> {
	const { below, isExact } = options;
	const [tree, notes] = await Promise.all([readTree(repository, below), readIndexNotes(repository, below)]);
	const modules = [...tree].filter(([, key]) => key === undefined).map(([path]) => `${path}/`);
	const isWanted = (path: string): boolean => isExact || !modules.some((module) => path.startsWith(module));
	const pace = createPace(options.timeoutMs);
	const files = createWorkFiles(repository, pace);
	const indexTime = statSync(join(repository.gitDirectory, "index"), { bigint: true, throwIfNoEntry: false });
	const nameNow = async (raw: string): Promise<string | undefined> => {
		const stats = files.look(raw);
		const note = isExact ? undefined : notes.get(raw);
		if (stats === undefined) return note?.isLeftOut === true ? note.name : undefined;
		const isNoted = note !== undefined && isUnchanged(stats, note, indexTime?.mtimeNs ?? 0n);
		return isNoted ? note.name : files.name(raw, stats);
	};
	const changes: WorkChange[] = [];
	for (const raw of new Set([
		...tree.keys(),
		...notes.keys(),
		...options.files.map(toRaw).filter(isWanted),
	])) {
		await pace();
		const before = tree.get(raw);
		// A submodule is a repository of its own.
		if (tree.has(raw) && before === undefined) continue;
		const after = await nameNow(raw);
		if (before !== after) changes.push({ path: Buffer.from(raw, "latin1").toString("utf8"), before, after });
	}
	return changes;
}

/** Names are bytes, and not always text: kept as characters of one byte each. */
function toRaw(path: string): string {
	return Buffer.from(path, "utf8").toString("latin1");
}

/** Undefined for a submodule. */
async function readTree({ git, head }: Repository, below: string): Promise<Map<string, string | undefined>> {
	if (head === undefined) return new Map();
	const listed = await git([
		"ls-tree",
		"-r",
		"-z",
		"--full-tree",
		head,
		...(below === "" ? [] : ["--", below]),
	]);
	const entries = listed.toString("latin1").split("\0");
	return new Map(
		entries.flatMap((entry) => {
			const [, mode, hash = "", path = ""] = TREE_ENTRY.exec(entry) ?? [];
			if (mode === undefined) return [];
			return [[path, mode === "160000" ? undefined : toName(mode === "120000", hash)] as const];
		}),
	);
}

/** A link and a file with the same content are two things. */
function toName(isLink: boolean, hash: string): string {
	return isLink ? `link ${hash}` : hash;
}

async function readIndexNotes({ git }: Repository, below: string): Promise<Map<string, IndexNote>> {
	const listed = await git(["ls-files", "--stage", "--debug", "-z", ...(below === "" ? [] : ["--", below])]);
	const entries = listed.toString("latin1").matchAll(INDEX_ENTRY);
	return new Map(
		[...entries].map(([, mode, hash = "", path = "", seconds = "0", rest = "0", size = "0", flags = "0"]) => [
			path,
			{
				name: toName(mode === "120000", hash),
				mtimeNs: BigInt(seconds) * 1_000_000_000n + BigInt(rest),
				size: BigInt(size),
				isLeftOut: (Number.parseInt(flags, 16) & SKIP_WORKTREE) !== 0,
			},
		]),
	);
}

/** A file that was changed as late as the note itself was written may have been changed after it. */
function isUnchanged(stats: BigIntStats, { mtimeNs, size }: IndexNote, indexTime: bigint): boolean {
	return stats.mtimeNs === mtimeNs && BigInt.asUintN(32, stats.size) === size && mtimeNs < indexTime;
}

function createWorkFiles({ top, head }: Repository, pace: () => Promise<void>) {
	const algorithm = head !== undefined && head.length > 40 ? "sha256" : "sha1";
	const toFile = (raw: string): Buffer => Buffer.concat([Buffer.from(`${top}/`), Buffer.from(raw, "latin1")]);
	/** A directory that was replaced by a link leads somewhere else. */
	const isPlain = rememberResults((directory: string): boolean => {
		if (directory === ".") return true;
		return (
			isPlain(dirname(directory)) &&
			lstatSync(toFile(directory), { throwIfNoEntry: false })?.isDirectory() === true
		);
	});
	return {
		look(raw: string): BigIntStats | undefined {
			if (!isPlain(dirname(raw))) return undefined;
			const stats = lstatSync(toFile(raw), { bigint: true, throwIfNoEntry: false });
			return stats?.isFile() || stats?.isSymbolicLink() ? stats : undefined;
		},
		/** As Git names a content: by the hash of its kind, its size and its bytes. */
		async name(raw: string, stats: BigIntStats): Promise<string> {
			const hash = createHash(algorithm);
			try {
				if (stats.isSymbolicLink()) {
					const target = readlinkSync(toFile(raw), { encoding: "buffer" });
					return toName(true, hash.update(`blob ${target.length}\0`).update(target).digest("hex"));
				}
				const descriptor = openSync(toFile(raw), OPEN_REGULAR);
				try {
					const { size } = fstatSync(descriptor);
					hash.update(`blob ${size}\0`);
					const chunk = Buffer.allocUnsafe(Math.min(CHUNK_BYTES, size));
					for (let left = size, count = -1; left > 0 && count !== 0; left -= count) {
						count = readSync(descriptor, chunk, 0, Math.min(chunk.length, left), null);
						hash.update(chunk.subarray(0, count));
						await pace();
					}
				} finally {
					closeSync(descriptor);
				}
				return hash.digest("hex");
			} catch (error) {
				if (error instanceof GitError) throw error;
				return "unreadable";
			}
		},
	};
}

/** Lets others have a turn now and then, and ends what takes too long. */
function createPace(timeoutMs: number): () => Promise<void> {
	const endsAt = performance.now() + timeoutMs;
	let pausedAt = performance.now();
	return async () => {
		const now = performance.now();
		if (now > endsAt) throw new GitError(`The files could not be compared within ${timeoutMs} ms.`);
		if (now - pausedAt < PAUSE_AFTER_MS) return;
		await sleep(0);
		pausedAt = performance.now();
	};
}
