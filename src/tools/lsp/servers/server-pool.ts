import { LspError } from "../lsp-error.ts";
import { LSP_LIMITS } from "../lsp-limits.ts";
import { WorkspaceWatch } from "../workspace/watch-workspace.ts";
import { type LaunchOptions, launchServer } from "./launch-server.ts";
import { type ServerRequest, ServerSlot, type StartedServer } from "./server-slot.ts";
import type { LanguageServer } from "./start-language-server.ts";

export interface ServerPool {
	readonly use: ServerSlot["use"];
	readonly watchOf: (workspace: string) => WorkspaceWatch;
	readonly running: () => readonly LanguageServer[];
	/** Stops the servers with this id, or all; the number stopped. Failures are forgotten with them. */
	readonly stop: (id?: string) => Promise<number>;
	readonly close: () => Promise<void>;
}

interface ServerPoolOptions extends LaunchOptions {
	readonly idleShutdownMs: number;
}

/** One slot for each kind of server and root. Language servers are large, so only so many run at a time. */
export function createServerPool(options: ServerPoolOptions): ServerPool {
	const slots = new Map<string, ServerSlot>();
	const watches = new Map<string, WorkspaceWatch>();
	const live = new Set<StartedServer>();
	const stopping = new Set<Promise<void>>();
	let isClosed = false;

	function watchOf(workspace: string): WorkspaceWatch {
		const watch = watches.get(workspace) ?? new WorkspaceWatch(workspace);
		watches.set(workspace, watch);
		return watch;
	}

	function slotOf({ definition: { id }, root }: ServerRequest): ServerSlot {
		const key = `${id}\0${root}`;
		const slot =
			slots.get(key) ??
			new ServerSlot({
				id,
				idleShutdownMs: options.idleShutdownMs,
				start,
				beforeStart: async ({ deadline }) => {
					await makeRoom(key);
					deadline.check();
					if (isClosed) throw new LspError("LSP_CANCELLED", "The lsp tool was closed.");
				},
			});
		slots.set(key, slot);
		return slot;
	}

	async function start(request: ServerRequest): Promise<StartedServer> {
		const launched = await launchServer(request, watchOf(request.workspace), options);
		const started = { ...launched, close: () => closeTracked(started, launched.close()) };
		live.add(started);
		return started;
	}

	async function closeTracked(started: StartedServer, closing: Promise<void>): Promise<void> {
		live.delete(started);
		stopping.add(closing);
		await closing.finally(() => stopping.delete(closing));
	}

	/** Beyond the cap the server unused for longest makes way. */
	async function makeRoom(wanted: string): Promise<void> {
		const others = [...slots].filter(([key, slot]) => key !== wanted && slot.isUp).map(([, slot]) => slot);
		if (others.length < LSP_LIMITS.maxServers) return;
		const idle = others.filter((slot) => !slot.isBusy).sort((a, b) => a.lastUsed - b.lastUsed)[0];
		await idle?.retire();
	}

	async function stop(id?: string): Promise<number> {
		const chosen = [...slots.values()].filter((slot) => id === undefined || slot.id === id);
		const running = chosen.filter((slot) => slot.isUp);
		await Promise.all(running.map((slot) => slot.retire()));
		for (const slot of chosen) slot.reset();
		return running.length;
	}

	return {
		use: (request, work) => slotOf(request).use(request, work),
		watchOf,
		running: () =>
			[...live].map(({ server }) => server).filter((server) => server.goneReason() === undefined),
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
