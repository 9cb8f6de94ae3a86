import type { ClientRequest, IncomingMessage, RequestOptions } from "node:http";
import type { Readable } from "node:stream";
import { LoopError } from "../loop-error.ts";
import { toConnectionError } from "./to-connection-error.ts";

interface HttpRequest {
	readonly url: string;
	readonly headers: Readonly<Record<string, string>>;
	readonly body: string;
}

const MAX_REDIRECTS = 3;

/**
 * POST on `node:http`, which has no hidden time limits: the fetch of Node gives up after 300 s of silence, and a
 * model may think longer. The signal is the only deadline. Rejects with a `LoopError`.
 */
export async function openReply(request: HttpRequest, signal: AbortSignal) {
	let url = new URL(request.url);
	for (let redirects = 0; ; redirects += 1) {
		const message = await sendOnce(url, request, signal);
		const status = message.statusCode ?? 0;
		if (status < 300 || status >= 400) {
			return {
				status,
				header: (name: string): string => String(message.headers[name] ?? ""),
				/** Decoded from any content encoding. */
				body: await decodeBody(message),
				/** Name and port of whoever answered. */
				host: url.host,
				/** False once the connection broke before the body was complete. */
				isComplete: (): boolean => message.complete,
			};
		}
		message.resume();
		url = resolveRedirect(url, message, redirects);
	}
}

export type HttpReply = Awaited<ReturnType<typeof openReply>>;

/** The key travels in a header: another origin must never get it. */
function resolveRedirect(from: URL, message: IncomingMessage, redirects: number): URL {
	const status = message.statusCode ?? 0;
	const location = String(message.headers.location ?? "");
	const target = URL.canParse(location, from.href) ? new URL(location, from.href) : undefined;
	if (target === undefined) {
		throw new LoopError("redirect_refused", `The provider answered ${status} without a usable location.`, {
			status,
		});
	}
	if (target.origin !== from.origin) {
		throw new LoopError(
			"redirect_refused",
			`The provider redirects to another origin (${target.origin}); the API key is not sent there. If that is right, use it as url.`,
			{ status },
		);
	}
	if ((status !== 307 && status !== 308) || redirects >= MAX_REDIRECTS) {
		throw new LoopError(
			"redirect_refused",
			`The provider answered ${status} to a POST; use the address it redirects to (${target.origin}${target.pathname}) as url.`,
			{ status },
		);
	}
	return target;
}

async function sendOnce(url: URL, request: HttpRequest, signal: AbortSignal): Promise<IncomingMessage> {
	const http = url.protocol === "https:" ? await import("node:https") : await import("node:http");
	const body = Buffer.from(request.body);
	const options: RequestOptions = {
		method: "POST",
		signal,
		headers: {
			"content-type": "application/json",
			accept: "text/event-stream",
			"accept-encoding": "identity",
			"user-agent": "deputize",
			...request.headers,
			"content-length": String(body.length),
		},
	};
	return await new Promise((resolve, reject) => {
		const outgoing: ClientRequest = http.request(url, options);
		outgoing.once("response", resolve);
		outgoing.on("error", (error) => reject(toConnectionError(error, url, signal)));
		outgoing.end(body);
	});
}

/** We ask for plain bytes, but some gateways compress anyway. */
async function decodeBody(message: IncomingMessage): Promise<Readable> {
	const encoding = String(message.headers["content-encoding"] ?? "identity").toLowerCase();
	if (encoding === "identity" || encoding === "") return message;
	const zlib = await import("node:zlib");
	// Without these flush modes a decompressor waits for the end, and a stream that was cut fails twice.
	const flush = { flush: zlib.constants.Z_SYNC_FLUSH, finishFlush: zlib.constants.Z_SYNC_FLUSH };
	const decoders: Readonly<Record<string, () => NodeJS.ReadWriteStream & Readable>> = {
		gzip: () => zlib.createGunzip(flush),
		"x-gzip": () => zlib.createGunzip(flush),
		deflate: () => zlib.createInflate(flush),
		br: () =>
			zlib.createBrotliDecompress({
				flush: zlib.constants.BROTLI_OPERATION_FLUSH,
				finishFlush: zlib.constants.BROTLI_OPERATION_FLUSH,
			}),
	};
	const create = decoders[encoding];
	if (create === undefined) {
		message.destroy();
		throw new LoopError(
			"unexpected_body",
			`The provider used the content encoding "${encoding}", which is not supported.`,
		);
	}
	const decoder = create();
	message.on("error", (error) => decoder.destroy(error));
	message.on("aborted", () => decoder.destroy(new Error("aborted")));
	message.pipe(decoder);
	return decoder;
}
