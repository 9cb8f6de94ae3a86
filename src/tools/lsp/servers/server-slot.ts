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
	/** Real path of the caller's working directory: nothing outside is opened. */
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

interface SlotOptions {
	readonly id: string;
	readonly idleShutdownMs: number;
	/** Makes room for one more server and starts it. */
	readonly start: (request: ServerRequest) => Promise<StartedServer>;
	/** Throws when nothing may start now. */
	readonly beforeStart: (request: ServerRequest) => Promise<void>;
}

/** The place of one server for one root, whether it runs at the moment or not. */
export class ServerSlot {
	readonly #options: SlotOptions;
	#state: SlotState = EMPTY;
	#restartedAt = Number.NEGATIVE_INFINITY;
	#users = 0;
	#lastUsed = 0;
	#idleTimer: NodeJS.Timeout | undefined;

	constructor(options: SlotOptions) {
		this.#options = options;
	}

	get id(): string {
		return this.#options.id;
	}

	get isUp(): boolean {
		return this.#state.kind === "up";
	}

	get isBusy(): boolean {
		return this.#users > 0;
	}

	get lastUsed(): number {
		return this.#lastUsed;
	}

	/** Runs `work` with the server up; when the server dies under it, once more with a new one. */
	async use<Value>(request: ServerRequest, work: (pooled: PooledServer) => Promise<Value>): Promise<Value> {
		this.#refuseAfterFailure();
		this.#users += 1;
		try {
			return await this.#attemptTwice(request, work);
		} finally {
			this.#users -= 1;
			this.#lastUsed = performance.now();
			this.#scheduleIdleStop();
		}
	}

	async #acquire(request: ServerRequest): Promise<StartedServer> {
		const seen = this.#state;
		if (seen.kind === "up") {
			const current = await seen.started.catch(() => undefined);
			if (current !== undefined && current.server.goneReason() === undefined) return current;
			// Somebody else may have replaced it while this call waited.
			if (this.#state === seen) await this.retire();
		}
		await this.#options.beforeStart(request);
		if (this.#state.kind !== "up") this.#state = { kind: "up", started: this.#options.start(request) };
		return this.#state.started;
	}

	/** Stops what runs. */
	async retire(): Promise<void> {
		const leaving = this.#state;
		this.#state = EMPTY;
		clearTimeout(this.#idleTimer);
		this.#idleTimer = undefined;
		if (leaving.kind === "up") await (await leaving.started.catch(() => undefined))?.close();
	}

	async #attempt<Value>(
		request: ServerRequest,
		work: (pooled: PooledServer) => Promise<Value>,
	): Promise<Value> {
		const pooled = await this.#acquire(request);
		try {
			return await work(pooled);
		} catch (error) {
			const reason = pooled.server.goneReason();
			// Whatever the step made of it, a dead server is the cause.
			if (reason !== undefined && !isCancellation(error)) throw new ServerGoneError(reason);
			throw error;
		}
	}

	async #attemptTwice<Value>(
		request: ServerRequest,
		work: (pooled: PooledServer) => Promise<Value>,
	): Promise<Value> {
		try {
			return await this.#attempt(request, work);
		} catch (error) {
			const now = performance.now();
			// One restart in a while; a server that dies again and again has failed.
			if (now - this.#restartedAt < LSP_LIMITS.restartWindowMs) throw this.#noteFailure(request, error);
			if (!(error instanceof ServerGoneError)) throw error;
			this.#restartedAt = now;
		}
		request.onProgress?.(`The ${this.#options.id} language server ended; starting it again`);
		try {
			return await this.#attempt(request, work);
		} catch (error) {
			throw this.#noteFailure(request, error);
		}
	}

	/** A server that is gone has failed; any other error stays what it is. */
	#noteFailure({ definition }: ServerRequest, error: unknown): unknown {
		if (!(error instanceof ServerGoneError)) return error;
		const message =
			`The ${definition.id} language server failed twice: ${error.message}. ` +
			`Use other tools for now, or repair it: ${definition.installHint}`;
		this.retire().catch(() => undefined);
		this.#state = { kind: "failed", message, at: performance.now() };
		return new LspError("LSP_SERVER_FAILED", message);
	}

	#refuseAfterFailure(): void {
		if (this.#state.kind !== "failed") return;
		const waitMs = this.#state.at + LSP_LIMITS.failureBackoffMs - performance.now();
		if (waitMs > 0)
			throw new LspError("LSP_SERVER_FAILED", describeBackoff(this.#options.id, this.#state.message, waitMs));
		this.reset();
	}

	/** One timer per server, not one per call: if there were calls when it fires, it is set for the rest. */
	#scheduleIdleStop(waitMs = this.#options.idleShutdownMs): void {
		if (this.#idleTimer !== undefined || this.#state.kind !== "up") return;
		this.#idleTimer = setTimeout(() => {
			this.#idleTimer = undefined;
			const leftMs = this.#lastUsed + this.#options.idleShutdownMs - performance.now();
			if (this.#users > 0) this.#scheduleIdleStop();
			else if (leftMs > 1) this.#scheduleIdleStop(leftMs);
			else this.retire().catch(() => undefined);
		}, waitMs);
		this.#idleTimer.unref();
	}

	/** Forgets failures. */
	reset(): void {
		if (this.#state.kind === "failed") this.#state = EMPTY;
		this.#restartedAt = Number.NEGATIVE_INFINITY;
	}
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
