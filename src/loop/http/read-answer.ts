import { cutBetweenWords, isObject, type JsonObject } from "@deputize/ground";
import { LoopError } from "../loop-error.ts";
import type { Provider, StreamDecoder } from "../providers/provider.ts";
import { describeText, isErrorEvent, toStreamError, truncatedStream } from "../providers/provider-errors.ts";
import type { HttpReply } from "./open-reply.ts";
import { createSseParser, type SseEvent, SseEventTooLargeError } from "./parse-sse.ts";
import type { SilenceWatch } from "./watch-silence.ts";

const MAX_EVENT_CHARS = 32 * 1024 * 1024;
const MAX_WHOLE_BYTES = 32 * 1024 * 1024;
/** After a complete answer, how long usage and `[DONE]` may take. */
const SETTLE_MS = 2000;

interface AnswerReader {
	readonly reply: HttpReply;
	readonly provider: Pick<Provider, "toStreamEvents">;
	readonly decoder: StreamDecoder;
	readonly watch: SilenceWatch;
	/** Called after each piece of the answer was decoded, so that output goes out in as few writes as input came. */
	readonly flush: () => Promise<void> | undefined;
}

/**
 * Feeds the decoder until the answer is complete, and rejects with a `LoopError` for every other ending. What the
 * body is, is decided by its first character and not by its content type: gateways answer a request for a stream
 * with whole JSON, or with a page, under any header.
 */
export function readAnswer(reader: AnswerReader): Promise<void> {
	const { reply, decoder, watch, flush } = reader;
	return new Promise((resolve, reject) => {
		let consumer: BodyConsumer | undefined;
		let settleTimer: NodeJS.Timeout | undefined;
		let over = false;

		function finish(error?: unknown): void {
			if (over) return;
			over = true;
			clearTimeout(settleTimer);
			watch.signal.removeEventListener("abort", onAbort);
			void flush();
			reply.body.removeAllListeners("data").on("error", () => undefined);
			if (error === undefined) {
				// Reading the rest lets the connection serve the next turn.
				reply.body.resume();
				resolve();
			} else {
				reply.body.destroy();
				reject(error);
			}
		}
		const onAbort = () => finish(watch.signal.reason);

		function guard(work: () => void): void {
			if (over) return;
			try {
				work();
				pauseUntil(flush());
				const state = decoder.state();
				if (state === "closed") finish();
				else if (state === "settled") settleTimer ??= setTimeout(finish, SETTLE_MS);
			} catch (error) {
				const isTooLarge = error instanceof SseEventTooLargeError;
				finish(isTooLarge ? new LoopError("event_too_large", error.message) : error);
			}
		}

		/** If our own reader cannot keep up, the server is slowed down instead of our memory filling up. */
		function pauseUntil(writable: Promise<void> | undefined): void {
			if (writable === undefined) return;
			reply.body.pause();
			void writable.then(() => {
				watch.alive();
				reply.body.resume();
			});
		}

		function lost(error?: NodeJS.ErrnoException): void {
			if (decoder.state() !== "open") finish();
			else if (watch.signal.aborted) finish(watch.signal.reason);
			else finish(truncatedStream(explainLoss(reply.host, error)));
		}

		if (watch.signal.aborted) {
			onAbort();
			return;
		}
		watch.signal.addEventListener("abort", onAbort, { once: true });
		reply.body.on("data", (chunk: Buffer) => {
			watch.alive();
			guard(() => {
				consumer ??= chooseConsumer(chunk, reader);
				consumer?.push(chunk);
			});
		});
		reply.body.on("end", () => {
			guard(() => consumer?.end());
			if (!over && !reply.isComplete() && decoder.state() === "open") lost();
			else finish();
		});
		reply.body.on("error", lost);
		reply.body.on("aborted", () => lost());
		reply.body.on("close", () => lost());
	});
}

function explainLoss(host: string, error: NodeJS.ErrnoException | undefined): string {
	if (error === undefined || error.code === "ECONNRESET")
		return `${host} closed the connection before the answer was complete`;
	return `the connection to ${host} broke (${error.code ?? error.message})`;
}

interface BodyConsumer {
	push(chunk: Buffer): void;
	end(): void;
}

/** Undefined while only white space has arrived. */
function chooseConsumer(chunk: Buffer, reader: AnswerReader): BodyConsumer | undefined {
	const first = /[^\s\ufeff]/.exec(chunk.subarray(0, 1024).toString("utf8"))?.[0];
	if (first === undefined) return undefined;
	if (first === "{" || first === "[") return createWholeConsumer(reader);
	if (first === "<") return createPageConsumer();
	return createStreamConsumer(reader);
}

function createStreamConsumer({ decoder, watch }: AnswerReader): BodyConsumer {
	function acceptEvent({ event: name, data, complete }: SseEvent): void {
		const trimmed = data.trim();
		// What follows the terminal event cannot spoil a complete answer.
		if (trimmed === "" || decoder.state() === "closed") return;
		if (trimmed === "[DONE]") {
			decoder.acceptDone();
			return;
		}
		const parsed = parseEvent(trimmed, complete);
		// Some servers name the type of an event in its `event:` line only.
		const event = parsed["type"] === undefined && name !== "" ? { type: name, ...parsed } : parsed;
		if (event["type"] !== "ping") watch.progress();
		decoder.accept(event);
	}
	return createSseParser({ maxEventChars: MAX_EVENT_CHARS, onEvent: acceptEvent });
}

function parseEvent(data: string, complete: boolean): JsonObject {
	let value: unknown;
	try {
		value = JSON.parse(data);
	} catch {
		if (!complete) throw truncatedStream("the stream ended in the middle of an event");
		throw new LoopError(
			"malformed_event",
			`The provider sent an event that is not JSON (${data.length} characters, beginning with ${JSON.stringify(cutBetweenWords(data, 40))}).`,
		);
	}
	if (!isObject(value))
		throw new LoopError("malformed_event", "The provider sent an event that is not a JSON object.");
	return value;
}

/** A server that ignored the request to stream. */
function createWholeConsumer({ decoder, provider, reply }: AnswerReader): BodyConsumer {
	const chunks: Buffer[] = [];
	let bytes = 0;
	return {
		push(chunk) {
			chunks.push(chunk);
			bytes += chunk.length;
			if (bytes > MAX_WHOLE_BYTES) {
				throw new LoopError(
					"unexpected_body",
					`The provider's answer is larger than ${MAX_WHOLE_BYTES} bytes.`,
				);
			}
		},
		end() {
			if (!reply.isComplete()) throw truncatedStream("the connection closed in the middle of the answer");
			const whole = parseEvent(Buffer.concat(chunks).toString("utf8").trim(), true);
			const events = isErrorEvent(whole) ? undefined : provider.toStreamEvents(whole);
			if (events === undefined) throw isErrorEvent(whole) ? toStreamError(whole) : unknownAnswer(whole);
			for (const event of events) decoder.accept(event);
			decoder.acceptDone();
		},
	};
}

function unknownAnswer(whole: JsonObject): LoopError {
	const fields = Object.keys(whole).slice(0, 8).join(", ");
	return new LoopError(
		"unexpected_body",
		`The provider answered with JSON that is not an answer of this API (fields: ${fields}). Check provider and url.`,
	);
}

function createPageConsumer(): BodyConsumer {
	let text = "";
	return {
		push(chunk) {
			if (text.length < 4096) text += chunk.toString("utf8");
		},
		end() {
			throw new LoopError(
				"unexpected_body",
				`The provider answered with ${describeText(text) || "a web page"} instead of an answer. Check the address.`,
			);
		},
	};
}
