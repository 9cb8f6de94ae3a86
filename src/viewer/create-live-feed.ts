import type { ServerResponse } from "node:http";
import { defined, renderSseEvent } from "@deputize/ground";
import type { RunIndex } from "../runs/create-run-index.ts";
import type { RunSummary } from "../runs/run-summary.ts";
import { createRunReader, type RunReader, WATCH_INTERVAL_MS } from "../runs/watch-run.ts";

const MAX_CLIENTS = 20;
/** A browser that does not read is disconnected. It may connect again, and starts over. */
const MAX_WAITING_BYTES = 4 * 1024 * 1024;
/** So that a connection that is dead is noticed. */
const PULSE_MS = 15_000;
/** After a rotation of the journal all runs are new. */
const MAX_NAMED_RUNS = 100;

interface Client {
	readonly response: ServerResponse;
	/** The run it shows, if it shows one. */
	readonly run?: { readonly runId: string; readonly reader: RunReader };
}

/** Tells every open page what changed. Looks only while one is open. */
export interface LiveFeed {
	/** False when there are too many. */
	add(response: ServerResponse, runId: string | undefined): boolean;
	close(): void;
}

export function createLiveFeed(index: RunIndex, eventsFile: (runId: string) => string): LiveFeed {
	const clients = new Set<Client>();
	let timer: NodeJS.Timeout | undefined;
	let pulseAt = performance.now() + PULSE_MS;
	const send = (client: Client, event: string, data: unknown): void => {
		if (client.response.writableLength > MAX_WAITING_BYTES) client.response.destroy();
		else client.response.write(renderSseEvent(event, data));
	};
	let seen = index.version();
	const look = (): void => {
		index.refresh();
		const changed = index.changedSince(seen);
		seen = index.version();
		const isPulse = performance.now() > pulseAt;
		if (isPulse) pulseAt = performance.now() + PULSE_MS;
		for (const client of clients) {
			if (concerns(changed, client.run?.runId, index)) send(client, "runs", changed.slice(0, MAX_NAMED_RUNS));
			const events = client.run?.reader.readNew() ?? [];
			if (events.length > 0) send(client, "events", events);
			if (isPulse) client.response.write(": \n\n");
		}
	};
	return {
		add(response, runId) {
			if (clients.size >= MAX_CLIENTS) return false;
			const run = runId === undefined ? undefined : { runId, reader: createRunReader(eventsFile(runId)) };
			const client: Client = { response, ...defined({ run }) };
			clients.add(client);
			response.on("close", () => {
				clients.delete(client);
				if (clients.size > 0) return;
				clearInterval(timer);
				timer = undefined;
			});
			timer ??= setInterval(look, WATCH_INTERVAL_MS);
			response.write(": \n\n");
			look();
			return true;
		},
		close() {
			clearInterval(timer);
			for (const { response } of clients) response.destroy();
		},
	};
}

/** A page of one run shows that run, those it started, and those of its session; any other page shows all. */
function concerns(changed: readonly RunSummary[], runId: string | undefined, index: RunIndex): boolean {
	if (runId === undefined) return changed.length > 0;
	const sessionId = index.find(runId)?.sessionId;
	return changed.some(
		(run) =>
			run.runId === runId ||
			run.parent === `run:${runId}` ||
			(sessionId !== undefined && run.sessionId === sessionId),
	);
}
