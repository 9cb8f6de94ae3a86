import { type Dirent, type FSWatcher, readdirSync, statSync, watch } from "node:fs";
import { join } from "node:path";
import { setImmediate as nextTurn } from "node:timers/promises";
import { toStamp } from "@deputize/ground";
import { LSP_LIMITS } from "../lsp-limits.ts";

export interface FileChange {
	readonly path: string;
	readonly kind: "created" | "changed" | "deleted";
}

/** What changed in the workspace since the last look, for servers that do not look themselves. */
export interface WorkspaceWatch {
	/** After this, every subscriber knows about every change made before the call. */
	readonly refresh: () => Promise<void>;
	readonly subscribe: (listener: (change: FileChange) => void) => () => void;
	readonly files: () => readonly string[];
	readonly covers: (path: string) => boolean;
	/** What the file looked like at the last refresh, as `toStamp` says it. */
	readonly stampOf: (path: string) => string | undefined;
	readonly close: () => void;
}

/** Dependencies, version control and build output: never sources a user edits, often most of the files. */
const SKIPPED_DIRECTORIES = new Set([
	"node_modules",
	"__pycache__",
	"target",
	"dist",
	"out",
	"coverage",
	"venv",
]);

/**
 * Directories are watched where the kernel queues events in step with the writes (Linux); a refresh then only
 * reads directories something happened in. Everything is compared anyway from time to time, and on each refresh
 * elsewhere: network and shared file systems deliver no events.
 */
export function watchWorkspace(workspace: string): WorkspaceWatch {
	const stamps = new Map<string, string>();
	const entries = new Map<string, Set<string>>();
	const watchers = new Map<string, FSWatcher>();
	const dirty = new Set<string>();
	const listeners = new Set<(change: FileChange) => void>();
	let canWatch = process.platform === "linux";
	let isFirstScan = true;
	let nextFullScan = 0;

	function report(path: string, kind: FileChange["kind"]): void {
		if (isFirstScan) return;
		for (const listener of listeners) listener({ path, kind });
	}

	function startWatching(directory: string): void {
		if (!canWatch || watchers.has(directory)) return;
		if (watchers.size >= LSP_LIMITS.maxWatchedDirectories) {
			canWatch = false;
			return;
		}
		try {
			const watcher = watch(directory, { persistent: false }, () => dirty.add(directory));
			watcher.on("error", () => dirty.add(directory));
			watchers.set(directory, watcher);
		} catch {
			canWatch = false;
		}
	}

	function compareFile(path: string): void {
		const found = statSync(path, { throwIfNoEntry: false });
		if (found === undefined || !found.isFile()) return;
		const stamp = toStamp(found);
		const before = stamps.get(path);
		if (before === stamp) return;
		if (before === undefined && stamps.size >= LSP_LIMITS.maxWorkspaceFiles) return;
		stamps.set(path, stamp);
		report(path, before === undefined ? "created" : "changed");
	}

	function forget(path: string): void {
		if (stamps.delete(path)) report(path, "deleted");
		const inner = entries.get(path);
		if (inner === undefined) return;
		entries.delete(path);
		watchers.get(path)?.close();
		watchers.delete(path);
		for (const name of inner) forget(join(path, name));
	}

	/** One directory; directories in it are returned for the caller to visit. */
	function scanDirectory(directory: string): string[] {
		const found = readDirectoryEntries(directory);
		if (found === undefined) {
			forget(directory);
			return [];
		}
		startWatching(directory);
		const before = entries.get(directory);
		const names = new Set<string>();
		const inner: string[] = [];
		for (const entry of found) {
			if (isSkipped(entry)) continue;
			names.add(entry.name);
			const path = join(directory, entry.name);
			if (entry.isDirectory()) inner.push(path);
			else compareFile(path);
		}
		for (const name of before ?? []) if (!names.has(name)) forget(join(directory, name));
		entries.set(directory, names);
		return inner;
	}

	async function scanAll(): Promise<void> {
		const started = performance.now();
		const waiting: { readonly path: string; readonly depth: number }[] = [{ path: workspace, depth: 0 }];
		let visited = 0;
		for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
			const { path, depth } = next;
			const inner = scanDirectory(path);
			if (depth < LSP_LIMITS.maxWorkspaceDepth) {
				waiting.push(...inner.map((directory) => ({ path: directory, depth: depth + 1 })));
			}
			visited += 1;
			if (visited % 100 === 0) await nextTurn();
			if (visited > LSP_LIMITS.maxWorkspaceFiles) break;
		}
		const tookMs = performance.now() - started;
		// Looking takes at most a twentieth of the time.
		nextFullScan = performance.now() + Math.max(LSP_LIMITS.fullScanIntervalMs, tookMs * 20);
		isFirstScan = false;
	}

	function scanDirty(): void {
		const waiting = [...dirty];
		dirty.clear();
		for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
			for (const inner of scanDirectory(next)) if (!entries.has(inner)) waiting.push(inner);
		}
	}

	let running: Promise<void> | undefined;
	async function refreshOnce(): Promise<void> {
		// Two turns of the event loop: events of writes made in this very turn are read in the second.
		await nextTurn();
		await nextTurn();
		const isTrusted = canWatch && !isFirstScan && performance.now() < nextFullScan;
		if (isTrusted) scanDirty();
		else {
			dirty.clear();
			await scanAll();
		}
	}

	return {
		refresh: async () => {
			// A refresh that is under way may have passed the place of a change already.
			await running;
			running ??= refreshOnce().finally(() => {
				running = undefined;
			});
			await running;
		},
		subscribe: (listener) => {
			listeners.add(listener);
			return () => listeners.delete(listener);
		},
		files: () => [...stamps.keys()],
		covers: (path) => stamps.has(path),
		stampOf: (path) => stamps.get(path),
		close: () => {
			for (const watcher of watchers.values()) watcher.close();
			watchers.clear();
			listeners.clear();
		},
	};
}

function readDirectoryEntries(directory: string): Dirent[] | undefined {
	try {
		return readdirSync(directory, { withFileTypes: true });
	} catch {
		return undefined;
	}
}

/** Links are not followed: a circle of them has no end, and their targets are seen where they really are. */
function isSkipped(entry: Dirent): boolean {
	if (entry.isDirectory()) return entry.name.startsWith(".") || SKIPPED_DIRECTORIES.has(entry.name);
	return !entry.isFile();
}
