import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";

const WIRES = join(import.meta.dirname, "../fixtures/models/wires");

export interface WireServer {
	readonly port: number;
	/** Bodies of the requests so far. */
	readonly requests: Readonly<Record<string, unknown>>[];
	close(): Promise<void>;
}

/** Answers one request after the other with a recorded reply (see the table beside them), the last one again and again. */
export async function startWireServer(...wires: readonly string[]): Promise<WireServer> {
	const requests: WireServer["requests"] = [];
	const server = createServer(async (request, response) => {
		let text = "";
		for await (const part of request) text += part;
		if (request.method === "GET") return void response.writeHead(404).end("{}");
		const wire = wires[requests.length] ?? wires.at(-1) ?? "";
		requests.push(JSON.parse(text));
		const status = Number(/\.(\d{3})\.json$/.exec(wire)?.[1] ?? 200);
		const type = wire.endsWith(".json") ? "application/json" : "text/event-stream";
		response.writeHead(status, { "content-type": type }).end(readFileSync(join(WIRES, wire)));
	});
	await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
	return {
		port: (server.address() as AddressInfo).port,
		requests,
		close: () =>
			new Promise((resolve) => {
				server.closeAllConnections();
				server.close(() => resolve());
			}),
	};
}
