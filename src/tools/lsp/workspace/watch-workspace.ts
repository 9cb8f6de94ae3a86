import { type Dirent, type FSWatcher, readdirSync, watch } from "node:fs";
import { join } from "node:path";
import { setImmediate as nextTurn } from "node:timers/promises";
import { statIfThere, toStamp } from "@deputize/ground";
import { LSP_LIMITS } from "../lsp-limits.ts";

export interface FileChange {
	readonly path: string;
	readonly kind: "created" | "changed" | "deleted";
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
 * What changed in the workspace since the last look, for servers that do not look themselves.
 *
 * Directories are watched where the kernel queues events in step with the writes (Linux); a refresh then only
 * reads directories something happened in. Everything is compared anyway from time to time, and on each refresh
 * elsewhere: network and shared file systems deliver no events.
 */
export class WorkspaceWatch {
	readonly #workspace: string;
	readonly #stamps = new Map<string, string>();
	readonly #entries = new Map<string, Set<string>>();
	readonly #watchers = new Map<string, FSWatcher>();
	readonly #dirty = new Set<string>();
	readonly #listeners = new Set<(change: FileChange) => void>();
	#canWatch = process.platform === "linux";
	#isFirstScan = true;
	#nextFullScan = 0;
	#running: Promise<void> | undefined;

	constructor(workspace: string) {
		this.#workspace = workspace;
	}

	/** After this, every subscriber knows about every change made before the call. */
	async refresh(): Promise<void> {
		// A refresh that is under way may have passed the place of a change already.
		await this.#running;
		this.#running ??= this.#refreshOnce().finally(() => {
			this.#running = undefined;
		});
		await this.#running;
	}

	subscribe(listener: (change: FileChange) => void): () => void {
		this.#listeners.add(listener);
		return () => this.#listeners.delete(listener);
	}

	readonly files = (): readonly string[] => [...this.#stamps.keys()];

	covers(path: string): boolean {
		return this.#stamps.has(path);
	}

	/** What the file looked like at the last refresh, as `toStamp` says it. */
	readonly stampOf = (path: string): string | undefined => this.#stamps.get(path);

	close(): void {
		for (const watcher of this.#watchers.values()) watcher.close();
		this.#watchers.clear();
		this.#listeners.clear();
	}

	#report(path: string, kind: FileChange["kind"]): void {
		if (this.#isFirstScan) return;
		for (const listener of this.#listeners) listener({ path, kind });
	}

	#startWatching(directory: string): void {
		if (!this.#canWatch || this.#watchers.has(directory)) return;
		if (this.#watchers.size >= LSP_LIMITS.maxWatchedDirectories) {
			this.#canWatch = false;
			return;
		}
		try {
			const watcher = watch(directory, { persistent: false }, () => this.#dirty.add(directory));
			watcher.on("error", () => this.#dirty.add(directory));
			this.#watchers.set(directory, watcher);
		} catch {
			this.#canWatch = false;
		}
	}

	#compareFile(path: string): void {
		const found = statIfThere(path);
		if (found === undefined || !found.isFile()) return;
		const stamp = toStamp(found);
		const before = this.#stamps.get(path);
		if (before === stamp) return;
		if (before === undefined && this.#stamps.size >= LSP_LIMITS.maxWorkspaceFiles) return;
		this.#stamps.set(path, stamp);
		this.#report(path, before === undefined ? "created" : "changed");
	}

	#forget(path: string): void {
		if (this.#stamps.delete(path)) this.#report(path, "deleted");
		const inner = this.#entries.get(path);
		if (inner === undefined) return;
		this.#entries.delete(path);
		this.#watchers.get(path)?.close();
		this.#watchers.delete(path);
		for (const name of inner) this.#forget(join(path, name));
	}

	/** One directory; directories in it are returned for the caller to visit. */
	#scanDirectory(directory: string): string[] {
		const found = readDirectoryEntries(directory);
		if (found === undefined) {
			this.#forget(directory);
			return [];
		}
		this.#startWatching(directory);
		const before = this.#entries.get(directory);
		const names = new Set<string>();
		const inner: string[] = [];
		for (const entry of found) {
			if (isSkipped(entry)) continue;
			names.add(entry.name);
			const path = join(directory, entry.name);
			if (entry.isDirectory()) inner.push(path);
			else this.#compareFile(path);
		}
		for (const name of before ?? []) if (!names.has(name)) this.#forget(join(directory, name));
		this.#entries.set(directory, names);
		return inner;
	}

	async #scanAll(): Promise<void> {
		const started = performance.now();
		const waiting: { readonly path: string; readonly depth: number }[] = [
			{ path: this.#workspace, depth: 0 },
		];
		let visited = 0;
		for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
			const { path, depth } = next;
			const inner = this.#scanDirectory(path);
			if (depth < LSP_LIMITS.maxWorkspaceDepth) {
				waiting.push(...inner.map((directory) => ({ path: directory, depth: depth + 1 })));
			}
			visited += 1;
			if (visited % 100 === 0) await nextTurn();
			if (visited > LSP_LIMITS.maxWorkspaceFiles) break;
		}
		const tookMs = performance.now() - started;
		// Looking takes at most a twentieth of the time.
		this.#nextFullScan = performance.now() + Math.max(LSP_LIMITS.fullScanIntervalMs, tookMs * 20);
		this.#isFirstScan = false;
	}

	#scanDirty(): void {
		const waiting = [...this.#dirty];
		this.#dirty.clear();
		for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
			for (const inner of this.#scanDirectory(next)) if (!this.#entries.has(inner)) waiting.push(inner);
		}
	}

	async #refreshOnce(): Promise<void> {
		// Two turns of the event loop: events of writes made in this very turn are read in the second.
		await nextTurn();
		await nextTurn();
		const isTrusted = this.#canWatch && !this.#isFirstScan && performance.now() < this.#nextFullScan;
		if (isTrusted) this.#scanDirty();
		else {
			this.#dirty.clear();
			await this.#scanAll();
		}
	}
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
