import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

export interface RecordedRequest {
	readonly method: string;
	readonly path: string;
	readonly headers: IncomingMessage["headers"];
	readonly body: string;
}

export interface LoopbackServer {
	readonly origin: string;
	readonly port: number;
	readonly requests: RecordedRequest[];
	close(): Promise<void>;
}

export type Answer = (request: RecordedRequest, response: ServerResponse) => unknown;

/** A real HTTP server on 127.0.0.1 that keeps what it was asked. */
export async function startLoopbackServer(answer: Answer): Promise<LoopbackServer> {
	const requests: RecordedRequest[] = [];
	const server = createServer((incoming, response) => {
		const chunks: Buffer[] = [];
		incoming.on("data", (chunk: Buffer) => chunks.push(chunk));
		incoming.on("end", () => {
			const request = {
				method: incoming.method ?? "",
				path: incoming.url ?? "",
				headers: incoming.headers,
				body: Buffer.concat(chunks).toString("utf8"),
			};
			requests.push(request);
			response.on("error", () => {});
			void answer(request, response);
		});
	});
	await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
	const { port } = server.address() as AddressInfo;
	return {
		origin: `http://127.0.0.1:${port}`,
		port,
		requests,
		close: () =>
			new Promise((resolve) => {
				server.closeAllConnections();
				server.close(() => resolve());
			}),
	};
}

export function sendJson(response: ServerResponse, value: unknown, status = 200): void {
	response.writeHead(status, { "content-type": "application/json" });
	response.end(JSON.stringify(value));
}

export function sendHtml(response: ServerResponse, html: string, status = 200): void {
	response.writeHead(status, { "content-type": "text/html; charset=utf-8" });
	response.end(html);
}
