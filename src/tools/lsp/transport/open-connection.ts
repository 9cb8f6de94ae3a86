import type { Readable, Writable } from "node:stream";
import {
	type Deadline,
	isObject,
	type JsonObject,
	messageOf,
	parseJsonObject,
	stripControlSequences,
} from "@deputize/ground";
import { createSingleDecision } from "../../../process/decide-once.ts";
import { ServerGoneError, ServerRefusalError } from "../lsp-error.ts";
import { createOutputSplitter, describeGarbage } from "./split-server-output.ts";

interface WaitingRequest {
	readonly resolve: (result: unknown) => void;
	readonly reject: (error: Error) => void;
}

const METHOD_NOT_FOUND = -32601;

/**
 * Written here rather than taken from vscode-jsonrpc, which waits for a turn of the event loop before every message
 * that it writes or reads. Messages are handled in the order in which they arrive.
 */
export function openConnection(stdout: Readable, stdin: Writable) {
	const waiting = new Map<unknown, WaitingRequest>();
	const notificationHandlers = new Map<string, (params: unknown) => void>();
	const requestHandlers = new Map<string, (params: unknown) => unknown>();
	const split = createOutputSplitter();
	const broken = createSingleDecision<string>();
	let brokenReason: string | undefined;
	let nextId = 0;

	/** The first reason wins. Rejects every request that is still waiting. */
	function breakDown(reason: string): void {
		if (brokenReason !== undefined) return;
		brokenReason = reason;
		broken.make(reason);
		stdout.off("data", receive);
		// A server whose output is no longer read must not block in a write.
		stdout.resume();
		for (const { reject } of waiting.values()) reject(new ServerGoneError(reason));
		waiting.clear();
	}

	function write(message: object): Promise<void> {
		if (brokenReason !== undefined) return Promise.resolve();
		const body = JSON.stringify({ jsonrpc: "2.0", ...message });
		return new Promise((resolve) => {
			stdin.write(`Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`, () => resolve());
		});
	}

	function receive(chunk: Buffer): void {
		try {
			split(chunk, (body) => handle(parseServerMessage(body)));
		} catch (error) {
			breakDown(messageOf(error));
		}
	}

	function handle({ id, method, params, result, error }: JsonObject): void {
		if (typeof method !== "string") settle(id, result, error);
		else if (id === undefined) notificationHandlers.get(method)?.(params);
		else void write({ id, ...answer(method, params) });
	}

	function answer(method: string, params: unknown): object {
		const handler = requestHandlers.get(method);
		if (handler !== undefined) return { result: handler(params) ?? null };
		return { error: { code: METHOD_NOT_FOUND, message: `This client does not know ${method}.` } };
	}

	/** An answer nobody waits for came after its deadline. */
	function settle(id: unknown, result: unknown, error: unknown): void {
		const request = waiting.get(id);
		waiting.delete(id);
		if (isObject(error)) request?.reject(toServerRefusal(error));
		else request?.resolve(result);
	}

	/** When the deadline passes, the server is asked to cancel and nobody waits for it to do so. */
	function request(method: string, params: unknown, deadline: Deadline): Promise<unknown> {
		return new Promise((resolve, reject) => {
			deadline.check();
			if (brokenReason !== undefined) throw new ServerGoneError(brokenReason);
			const id = nextId;
			nextId += 1;
			const stopListening = deadline.onPassed(() => {
				waiting.delete(id);
				void write({ method: "$/cancelRequest", params: { id } });
				reject(deadline.reason());
			});
			waiting.set(id, {
				resolve: (result) => {
					stopListening();
					resolve(result);
				},
				reject: (error) => {
					stopListening();
					reject(error);
				},
			});
			void write({ id, method, params });
		});
	}

	stdout.on("data", receive);
	stdout.on("error", (error) => breakDown(`its output could not be read (${error.message})`));
	stdout.on("close", () => breakDown("it closed the connection"));
	stdin.on("error", (error) => breakDown(`its input was closed (${error.message})`));

	return {
		request,
		notify: (method: string, params: unknown): void => void write({ method, params }),
		/** The same, settled once it was handed to the pipe: the last message must not be cut off. Never rejects. */
		send: (method: string, params: unknown): Promise<void> => write({ method, params }),
		onNotification: (method: string, handler: (params: unknown) => void): void =>
			void notificationHandlers.set(method, handler),
		onRequest: (method: string, handler: (params: unknown) => unknown): void =>
			void requestHandlers.set(method, handler),
		/** Settles with the reason when the stream can no longer be read or written. */
		broken: broken.made,
		close: (): void => breakDown("it was stopped"),
	};
}

/** JSON-RPC with a deadline on every request. What arrives is `unknown`; whoever asked makes it a type. */
export type ServerConnection = ReturnType<typeof openConnection>;

function parseServerMessage(body: string): JsonObject {
	const message = parseJsonObject(body);
	if (message === undefined) throw new Error(describeGarbage(body));
	return message;
}

function toServerRefusal({ code, message }: JsonObject): ServerRefusalError {
	return new ServerRefusalError(Number(code), stripControlSequences(String(message)));
}
