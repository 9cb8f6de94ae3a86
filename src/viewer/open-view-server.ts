import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { Surroundings } from "../config/read-surroundings.ts";
import { runEventsFile } from "../journal/open-run-events.ts";
import { answerQuestion } from "./answer-question.ts";
import { COOKIE_NAME, checkAsker, isForeignPart, type ViewLock } from "./check-asker.ts";
import { createLiveFeed, type LiveFeed } from "./create-live-feed.ts";
import { type PageAssets, readPageAssets } from "./page-assets.ts";
import { renderEmptyPage } from "./render-document.ts";
import { closeViewAddress, writeViewAddress } from "./view-address.ts";
import { createViewData, type ViewData } from "./view-data.ts";

export interface ViewServer {
	/** A new address with a token, for the person who asked and nobody else. One browser can enter with it. */
	createAddress(): string;
	close(): Promise<void>;
}

interface View {
	readonly lock: ViewLock;
	readonly data: ViewData;
	readonly feed: LiveFeed;
	readonly assets: PageAssets;
}

const HEADERS = {
	"Content-Security-Policy":
		"default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
	"X-Content-Type-Options": "nosniff",
	"Referrer-Policy": "no-referrer",
	"Cross-Origin-Resource-Policy": "same-origin",
	"Cross-Origin-Opener-Policy": "same-origin",
	"Cache-Control": "no-store",
} as const;

/** Of the addresses that were given out and not opened, the newest are good. */
const MAX_ENTRIES = 100;

/**
 * Serves the page on loopback. The token in the address becomes a cookie for one path: cookies do not know ports, so
 * with any other path a server of somebody else on this machine would be sent it, too. The address stays in the history of a
 * browser, and in that of a terminal: it gives no second cookie.
 */
export async function openViewServer(options: {
	readonly surroundings: Surroundings;
	readonly port?: number | undefined;
}): Promise<ViewServer> {
	const { surroundings } = options;
	const data = createViewData(surroundings);
	// Reading thousands of runs takes a moment, which nobody should have to wait for in the browser.
	data.index.refresh();
	const feed = createLiveFeed(data.index, (runId) => runEventsFile(surroundings.agentDirectory, runId));
	const assets = readPageAssets();
	const server = createServer();
	server.listen(options.port ?? 0, "127.0.0.1");
	await once(server, "listening");
	const { port } = server.address() as AddressInfo;
	const base = `/view-${randomBytes(6).toString("hex")}/`;
	const entries: ViewLock["entries"] = new Map();
	const view: View = { lock: { port, base, session: makeSecret(), entries }, data, feed, assets };
	server.on("request", (request, response) => {
		answerRequest(request, response, view).catch(() => {
			if (!response.headersSent) response.writeHead(500, HEADERS);
			response.end();
		});
	});
	const shownAddress = `http://127.0.0.1:${port}${base}`;
	writeViewAddress(surroundings.agentDirectory, shownAddress);
	return {
		createAddress() {
			const token = makeSecret();
			entries.set(token, "new");
			for (const oldest of [...entries.keys()].slice(0, -MAX_ENTRIES)) entries.delete(oldest);
			return `${shownAddress}?token=${token}`;
		},
		async close() {
			closeViewAddress(surroundings.agentDirectory, shownAddress);
			feed.close();
			server.close();
			server.closeAllConnections();
			await once(server, "close").catch(() => undefined);
		},
	};
}

const makeSecret = (): string => randomBytes(24).toString("base64url");

async function answerRequest(request: IncomingMessage, response: ServerResponse, view: View): Promise<void> {
	const url = new URL(request.url ?? "/", "http://127.0.0.1");
	const refusal = checkAsker(request, view.lock, url);
	if (refusal) return send(response, refusal.status, "text/plain", refusal.message);
	const path = url.pathname.slice(view.lock.base.length);
	const token = url.searchParams.get("token");
	if (token !== null) {
		// A HEAD is somebody who looks whether there is a page.
		if (request.method === "GET" && view.lock.entries.has(token)) view.lock.entries.set(token, "used");
		const cookie = `${COOKIE_NAME}=${view.lock.session}; Path=${view.lock.base}; HttpOnly; SameSite=Strict`;
		response.writeHead(303, { ...HEADERS, Location: view.lock.base, "Set-Cookie": cookie }).end();
		return;
	}
	if (path === "") return send(response, 200, "text/html", renderEmptyPage());
	if (isForeignPart(request))
		return send(response, 403, "text/plain", "Requests from other pages are not answered.");
	if (path === "page.js") return send(response, 200, "text/javascript", view.assets.script);
	if (path === "page.css") return send(response, 200, "text/css", view.assets.style);
	if (path === "api/live") return openFeed(response, url, view);
	const reply = await answerQuestion(path, url.searchParams, view.data, view.assets);
	if (reply === undefined)
		return send(response, 404, "text/plain", "Nothing is known about this. Its records may be gone by now.");
	send(response, 200, reply.type, reply.body, reply.headers);
}

function openFeed(response: ServerResponse, url: URL, { feed }: View): void {
	const run = url.searchParams.get("run") || undefined;
	if (run !== undefined && !/^[\w-]{1,64}$/.test(run)) {
		send(response, 404, "text/plain", "No such run.");
		return;
	}
	response.writeHead(200, { ...HEADERS, "Content-Type": "text/event-stream" });
	if (!feed.add(response, run)) response.end();
}

function send(
	response: ServerResponse,
	status: number,
	type: string,
	body: string,
	headers: Readonly<Record<string, string>> = {},
): void {
	response.writeHead(status, { ...HEADERS, ...headers, "Content-Type": `${type}; charset=utf-8` });
	response.end(body);
}
