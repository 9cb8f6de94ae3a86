import type { Deadline } from "../create-deadline.ts";
import { LspError, ServerGoneError } from "../lsp-error.ts";
import { LSP_LIMITS } from "../lsp-limits.ts";
import { createServerSynchroniser, type ServerSynchroniser } from "../workspace/synchronise-server.ts";
import { type WorkspaceWatch, watchWorkspace } from "../workspace/watch-workspace.ts";
import { buildServerEnvironment } from "./build-server-environment.ts";
import type { Environment } from "./find-program.ts";
import { findServer, type ServerLaunch } from "./find-server.ts";
import { prepareClangd } from "./prepare-clangd.ts";
import type { ServerDefinition } from "./server-table.ts";
import { type LanguageServer, startLanguageServer } from "./start-language-server.ts";

/** A server ready to be asked, with the means to bring it up to date. */
export interface PooledServer {
	readonly server: LanguageServer;
	readonly synchroniser: ServerSynchroniser;
}

export interface ServerWish {
	readonly definition: ServerDefinition;
	readonly workspace: string;
	readonly root: string;
	readonly deadline: Deadline;
	readonly coldTimeoutMs: number;
	readonly onProgress?: (line: string) => void;
}

export interface ServerPool {
	/** Runs `work` with the server up; when the server dies under it, once more with a new one. */
	readonly use: <Value>(wish: ServerWish, work: (pooled: PooledServer) => Promise<Value>) => Promise<Value>;
	readonly watchOf: (workspace: string) => WorkspaceWatch;
	readonly running: () => readonly LanguageServer[];
	/** Stops the servers with this id, or all; the number stopped. Failures are forgotten with them. */
	readonly stop: (id?: string) => Promise<number>;
	readonly close: () => Promise<void>;
}

export interface ServerPoolOptions {
	readonly env: Environment;
	readonly idleShutdownMs: number;
	readonly isTrusted: () => boolean;
}

interface Slot {
	readonly id: string;
	starting: Promise<StartedServer> | undefined;
	users: number;
	idleTimer: NodeJS.Timeout | undefined;
	lastUsed: number;
	restarts: number[];
	failure: { readonly message: string; readonly at: number } | undefined;
}

interface StartedServer extends PooledServer {
	readonly cleanUp: () => Promise<void>;
}

export function createServerPool(options: ServerPoolOptions): ServerPool {
	const slots = new Map<string, Slot>();
	const watches = new Map<string, WorkspaceWatch>();
	const live = new Set<LanguageServer>();
	const stopping = new Set<Promise<void>>();
	let isClosed = false;

	function watchOf(workspace: string): WorkspaceWatch {
		const existing = watches.get(workspace);
		if (existing !== undefined) return existing;
		const created = watchWorkspace(workspace);
		watches.set(workspace, created);
		return created;
	}

	function slotOf(wish: ServerWish): Slot {
		const key = `${wish.definition.id}\0${wish.root}`;
		const existing = slots.get(key);
		if (existing !== undefined) return existing;
		const created: Slot = {
			id: wish.definition.id,
			starting: undefined,
			users: 0,
			idleTimer: undefined,
			lastUsed: 0,
			restarts: [],
			failure: undefined,
		};
		slots.set(key, created);
		return created;
	}

	async function start(wish: ServerWish): Promise<StartedServer> {
		const search = findServer(wish.definition, {
			env: options.env,
			workspace: wish.workspace,
			root: wish.root,
			trusted: options.isTrusted(),
		});
		if (search.kind === "missing") throw new LspError("LSP_SERVER_NOT_FOUND", search.reason);
		wish.onProgress?.(`Starting the ${wish.definition.id} language server`);
		wish.deadline.extendTo(wish.coldTimeoutMs);
		const watch = watchOf(wish.workspace);
		const firstLook = watch.refresh();
		const prepared = await prepareLaunch(search.launch, wish, async () => {
			await firstLook;
			return watch.files();
		});
		try {
			const server = await startLanguageServer({
				launch: search.launch,
				root: wish.root,
				env: buildServerEnvironment(options.env),
				extraArgs: prepared.args,
				deadline: wish.deadline,
			});
			live.add(server);
			await firstLook;
			return { server, synchroniser: createServerSynchroniser(server, watch), cleanUp: prepared.cleanUp };
		} catch (error) {
			await prepared.cleanUp();
			if (!(error instanceof LspError && error.code === "LSP_TIMEOUT")) throw error;
			throw new LspError(
				"LSP_TIMEOUT",
				`The ${wish.definition.id} language server did not start: ${error.message}`,
			);
		}
	}

	async function prepareLaunch(
		launch: ServerLaunch,
		wish: ServerWish,
		listFiles: () => Promise<readonly string[]>,
	): Promise<{ readonly args: readonly string[]; readonly cleanUp: () => Promise<void> }> {
		if (launch.definition.preparation !== "clangd") return { args: [], cleanUp: async () => undefined };
		const prepared = await prepareClangd(wish.root, options.env, listFiles);
		return {
			...prepared,
			args: options.isTrusted() ? prepared.args : [...prepared.args, "--enable-config=false"],
		};
	}

	async function acquire(slot: Slot, wish: ServerWish): Promise<StartedServer> {
		const seen = slot.starting;
		const current = await seen?.catch(() => undefined);
		if (current !== undefined && current.server.goneReason() === undefined) return current;
		// Somebody else may have replaced it while this call waited.
		if (seen !== undefined && slot.starting === seen) await retire(slot);
		await makeRoom(slot);
		wish.deadline.check();
		if (isClosed) throw new LspError("LSP_CANCELLED", "The lsp tool was closed.");
		slot.starting ??= start(wish);
		return slot.starting;
	}

	/** A crash already seen by somebody else: the dead one is put away before a new one starts. */
	async function retire(slot: Slot): Promise<void> {
		const starting = slot.starting;
		slot.starting = undefined;
		clearTimeout(slot.idleTimer);
		slot.idleTimer = undefined;
		const started = await starting?.catch(() => undefined);
		if (started === undefined) return;
		live.delete(started.server);
		started.synchroniser.close();
		const stopped = started.server.stop().then(started.cleanUp);
		stopping.add(stopped);
		await stopped.finally(() => stopping.delete(stopped));
	}

	/** Language servers are large: beyond the cap the one unused for longest makes way. */
	async function makeRoom(wanted: Slot): Promise<void> {
		const running = [...slots.values()].filter((slot) => slot !== wanted && slot.starting !== undefined);
		if (running.length < LSP_LIMITS.maxServers) return;
		const idle = running.filter((slot) => slot.users === 0).sort((a, b) => a.lastUsed - b.lastUsed)[0];
		if (idle !== undefined) await retire(idle);
	}

	async function attempt<Value>(
		slot: Slot,
		wish: ServerWish,
		work: (pooled: PooledServer) => Promise<Value>,
	): Promise<Value> {
		const pooled = await acquire(slot, wish);
		try {
			return await work(pooled);
		} catch (error) {
			const reason = pooled.server.goneReason();
			// Whatever the step made of it, a dead server is the cause.
			if (reason !== undefined && !isCallersFault(error)) throw new ServerGoneError(reason);
			throw error;
		}
	}

	async function use<Value>(
		wish: ServerWish,
		work: (pooled: PooledServer) => Promise<Value>,
	): Promise<Value> {
		const slot = slotOf(wish);
		refuseDuringBackoff(slot, wish.definition);
		slot.users += 1;
		try {
			return await attempt(slot, wish, work);
		} catch (error) {
			if (!(error instanceof ServerGoneError)) throw error;
			return await attemptAgain(slot, wish, work, error.message);
		} finally {
			slot.users -= 1;
			slot.lastUsed = performance.now();
			scheduleIdleStop(slot);
		}
	}

	async function attemptAgain<Value>(
		slot: Slot,
		wish: ServerWish,
		work: (pooled: PooledServer) => Promise<Value>,
		firstReason: string,
	): Promise<Value> {
		const now = performance.now();
		slot.restarts = slot.restarts.filter((at) => now - at < LSP_LIMITS.restartWindowMs);
		if (slot.restarts.length > 0) throw recordFailure(slot, wish.definition, firstReason);
		slot.restarts.push(now);
		wish.onProgress?.(`The ${wish.definition.id} language server ended; starting it again`);
		try {
			return await attempt(slot, wish, work);
		} catch (error) {
			if (error instanceof ServerGoneError) throw recordFailure(slot, wish.definition, error.message);
			throw error;
		}
	}

	function recordFailure(slot: Slot, definition: ServerDefinition, reason: string): LspError {
		const message =
			`The ${definition.id} language server failed twice: ${reason}. ` +
			`Use other tools for now, or repair it: ${definition.installHint}`;
		slot.failure = { message, at: performance.now() };
		return new LspError("LSP_SERVER_FAILED", message);
	}

	/** One timer per server, not one per call: when it rings early because of calls, it is set for the rest. */
	function scheduleIdleStop(slot: Slot, waitMs = options.idleShutdownMs): void {
		if (slot.idleTimer !== undefined || slot.starting === undefined) return;
		slot.idleTimer = setTimeout(() => {
			slot.idleTimer = undefined;
			const leftMs = slot.lastUsed + options.idleShutdownMs - performance.now();
			if (slot.users > 0) scheduleIdleStop(slot);
			else if (leftMs > 1) scheduleIdleStop(slot, leftMs);
			else retire(slot).catch(() => undefined);
		}, waitMs);
		slot.idleTimer.unref();
	}

	async function stop(id?: string): Promise<number> {
		const chosen = [...slots.values()].filter((slot) => id === undefined || slot.id === id);
		const running = chosen.filter((slot) => slot.starting !== undefined);
		await Promise.all(running.map(retire));
		for (const slot of chosen) {
			slot.failure = undefined;
			slot.restarts = [];
		}
		return running.length;
	}

	return {
		use,
		watchOf,
		running: () => [...live].filter((server) => server.goneReason() === undefined),
		stop,
		close: async () => {
			isClosed = true;
			await stop();
			await Promise.all(stopping);
			for (const watch of watches.values()) watch.close();
			watches.clear();
		},
	};
}

function refuseDuringBackoff(slot: Slot, definition: ServerDefinition): void {
	if (slot.failure === undefined) return;
	const waitMs = slot.failure.at + LSP_LIMITS.failureBackoffMs - performance.now();
	if (waitMs <= 0) {
		slot.failure = undefined;
		slot.restarts = [];
		return;
	}
	throw new LspError(
		"LSP_SERVER_FAILED",
		`${slot.failure.message} (not started again for another ${Math.ceil(waitMs / 1000)} s; ` +
			`the restart action of the main agent starts ${definition.id} at once)`,
	);
}

function isCallersFault(error: unknown): boolean {
	return error instanceof LspError && error.code === "LSP_CANCELLED";
}
