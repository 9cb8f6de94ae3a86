import type { Deadline } from "@deputize/ground";
import { LspError, ServerGoneError } from "../lsp-error.ts";
import { LSP_LIMITS } from "../lsp-limits.ts";
import type { ServerSynchronizer } from "../workspace/synchronize-server.ts";
import type { ServerDefinition } from "./server-table.ts";
import type { LanguageServer } from "./start-language-server.ts";

/** A server ready to be asked, with the means to bring it up to date. */
export interface PooledServer {
	readonly server: LanguageServer;
	readonly synchronizer: ServerSynchronizer;
}

export interface StartedServer extends PooledServer {
	/** Stops it; resolves when nothing of it is left. */
	readonly close: () => Promise<void>;
}

export interface ServerRequest {
	readonly definition: ServerDefinition;
	readonly workspace: string;
	readonly root: string;
	readonly deadline: Deadline;
	readonly coldTimeoutMs: number;
	readonly onProgress?: (line: string) => void;
}

/**
 * empty ─ask─► up ─idle, stopped─► empty
 *              up ─died─► empty ─ask again─► up ─died again─► failed ─back-off is over, restart─► empty
 */
type SlotState =
	| { readonly kind: "empty" }
	| { readonly kind: "up"; readonly started: Promise<StartedServer> }
	| { readonly kind: "failed"; readonly message: string; readonly at: number };

const EMPTY: SlotState = { kind: "empty" };

/** The place of one server for one root, whether it runs at the moment or not. */
export interface ServerSlot {
	readonly id: string;
	/** Runs `work` with the server up; when the server dies under it, once more with a new one. */
	readonly use: <Value>(
		request: ServerRequest,
		work: (pooled: PooledServer) => Promise<Value>,
	) => Promise<Value>;
	readonly isUp: () => boolean;
	readonly isBusy: () => boolean;
	readonly lastUsed: () => number;
	/** Stops what runs. */
	readonly retire: () => Promise<void>;
	/** Forgets failures. */
	readonly reset: () => void;
}

export interface SlotOptions {
	readonly id: string;
	readonly idleShutdownMs: number;
	/** Makes room for one more server and starts it. */
	readonly start: (request: ServerRequest) => Promise<StartedServer>;
	/** Throws when nothing may start now. */
	readonly beforeStart: (request: ServerRequest) => Promise<void>;
}

export function createServerSlot(options: SlotOptions): ServerSlot {
	let state: SlotState = EMPTY;
	let restartedAt = Number.NEGATIVE_INFINITY;
	let users = 0;
	let lastUsed = 0;
	let idleTimer: NodeJS.Timeout | undefined;

	async function acquire(request: ServerRequest): Promise<StartedServer> {
		const seen = state;
		if (seen.kind === "up") {
			const current = await seen.started.catch(() => undefined);
			if (current !== undefined && current.server.goneReason() === undefined) return current;
			// Somebody else may have replaced it while this call waited.
			if (state === seen) await retire();
		}
		await options.beforeStart(request);
		if (state.kind !== "up") state = { kind: "up", started: options.start(request) };
		return state.started;
	}

	async function retire(): Promise<void> {
		const leaving = state;
		state = EMPTY;
		clearTimeout(idleTimer);
		idleTimer = undefined;
		if (leaving.kind === "up") await (await leaving.started.catch(() => undefined))?.close();
	}

	async function attempt<Value>(
		request: ServerRequest,
		work: (pooled: PooledServer) => Promise<Value>,
	): Promise<Value> {
		const pooled = await acquire(request);
		try {
			return await work(pooled);
		} catch (error) {
			const reason = pooled.server.goneReason();
			// Whatever the step made of it, a dead server is the cause.
			if (reason !== undefined && !isCancellation(error)) throw new ServerGoneError(reason);
			throw error;
		}
	}

	async function attemptTwice<Value>(
		request: ServerRequest,
		work: (pooled: PooledServer) => Promise<Value>,
	): Promise<Value> {
		try {
			return await attempt(request, work);
		} catch (error) {
			const now = performance.now();
			// One restart in a while; a server that dies again and again has failed.
			if (now - restartedAt < LSP_LIMITS.restartWindowMs) throw noteFailure(request, error);
			if (!(error instanceof ServerGoneError)) throw error;
			restartedAt = now;
		}
		request.onProgress?.(`The ${options.id} language server ended; starting it again`);
		try {
			return await attempt(request, work);
		} catch (error) {
			throw noteFailure(request, error);
		}
	}

	/** A server that is gone has failed; any other error stays what it is. */
	function noteFailure({ definition }: ServerRequest, error: unknown): unknown {
		if (!(error instanceof ServerGoneError)) return error;
		const message =
			`The ${definition.id} language server failed twice: ${error.message}. ` +
			`Use other tools for now, or repair it: ${definition.installHint}`;
		retire().catch(() => undefined);
		state = { kind: "failed", message, at: performance.now() };
		return new LspError("LSP_SERVER_FAILED", message);
	}

	function refuseAfterFailure(): void {
		if (state.kind !== "failed") return;
		const waitMs = state.at + LSP_LIMITS.failureBackoffMs - performance.now();
		if (waitMs > 0)
			throw new LspError("LSP_SERVER_FAILED", describeBackoff(options.id, state.message, waitMs));
		reset();
	}

	/** One timer per server, not one per call: if there were calls when it fires, it is set for the rest. */
	function scheduleIdleStop(waitMs = options.idleShutdownMs): void {
		if (idleTimer !== undefined || state.kind !== "up") return;
		idleTimer = setTimeout(() => {
			idleTimer = undefined;
			const leftMs = lastUsed + options.idleShutdownMs - performance.now();
			if (users > 0) scheduleIdleStop();
			else if (leftMs > 1) scheduleIdleStop(leftMs);
			else retire().catch(() => undefined);
		}, waitMs);
		idleTimer.unref();
	}

	function reset(): void {
		if (state.kind === "failed") state = EMPTY;
		restartedAt = Number.NEGATIVE_INFINITY;
	}

	return {
		id: options.id,
		use: async (request, work) => {
			refuseAfterFailure();
			users += 1;
			try {
				return await attemptTwice(request, work);
			} finally {
				users -= 1;
				lastUsed = performance.now();
				scheduleIdleStop();
			}
		},
		isUp: () => state.kind === "up",
		isBusy: () => users > 0,
		lastUsed: () => lastUsed,
		retire,
		reset,
	};
}

function describeBackoff(id: string, message: string, waitMs: number): string {
	return (
		`${message} (not started again for another ${Math.ceil(waitMs / 1000)} s; ` +
		`the restart action of the main agent starts ${id} at once)`
	);
}

function isCancellation(error: unknown): boolean {
	return error instanceof LspError && error.code === "LSP_CANCELLED";
}
