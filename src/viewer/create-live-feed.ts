import type { ServerResponse } from "node:http";
import type { RunIndex } from "../runs/create-run-index.ts";
import { createRunReader, type RunReader } from "../runs/watch-run.ts";
import { renderSseEvent } from "../wire/render-sse.ts";

const POLL_MS = 150;
const MAX_CLIENTS = 20;
/** A browser that does not read: it may come back and begin anew. */
const MAX_WAITING_BYTES = 4 * 1024 * 1024;
/** So that a connection through which nothing comes is noticed. */
const PULSE_MS = 15_000;

interface Client {
	readonly response: ServerResponse;
	readonly reader?: RunReader;
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
	const look = (): void => {
		const changed = index.refresh();
		const isPulse = performance.now() > pulseAt;
		if (isPulse) pulseAt = performance.now() + PULSE_MS;
		for (const client of clients) {
			if (changed.length > 0) send(client, "runs", changed);
			const events = client.reader?.readNew() ?? [];
			if (events.length > 0) send(client, "events", events);
			if (isPulse) client.response.write(": \n\n");
		}
	};
	return {
		add(response, runId) {
			if (clients.size >= MAX_CLIENTS) return false;
			const client: Client = {
				response,
				...(runId === undefined ? {} : { reader: createRunReader(eventsFile(runId)) }),
			};
			clients.add(client);
			response.on("close", () => {
				clients.delete(client);
				if (clients.size > 0) return;
				clearInterval(timer);
				timer = undefined;
			});
			timer ??= setInterval(look, POLL_MS);
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
