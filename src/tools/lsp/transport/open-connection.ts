import type { Readable, Writable } from "node:stream";
import {
	CancellationStrategy,
	createMessageConnection,
	type MessageConnection,
	NullLogger,
	ResponseError,
} from "vscode-jsonrpc/node";
import type { Deadline } from "../create-deadline.ts";
import { ServerGoneError } from "../lsp-error.ts";
import { keepMessageOrder } from "./keep-message-order.ts";
import { createQuestionsAhead, type QuestionsAhead, type StartedRequest } from "./questions-ahead.ts";
import { WholeMessageReader } from "./whole-message-reader.ts";
import { WholeMessageWriter } from "./whole-message-writer.ts";

/** JSON-RPC with a deadline on every request. What arrives is `unknown`; whoever asked makes it a type. */
export interface ServerConnection {
	readonly request: (method: string, params: unknown, deadline: Deadline) => Promise<unknown>;
	/** Sends what a call is expected to `request`, before it is known to be the right question. */
	readonly askAhead: QuestionsAhead["send"];
	readonly forgetAhead: QuestionsAhead["forget"];
	readonly notify: (method: string, params: unknown) => void;
	/** The same, settled when it was handed to the pipe: what is sent last must not be cut off. Never rejects. */
	readonly send: (method: string, params: unknown) => Promise<void>;
	readonly onNotification: (method: string, handler: (params: unknown) => void) => void;
	readonly onRequest: (method: string, handler: (params: unknown) => unknown) => void;
	/** Settles with the reason when the stream cannot be read or written any more. */
	readonly broken: Promise<string>;
	readonly close: () => void;
}

/** The server refused the request; the request itself was delivered and answered. */
export class ServerRefusalError extends Error {
	readonly code: number;
	readonly data: unknown;

	constructor(code: number, message: string, data: unknown) {
		super(message);
		this.name = "ServerRefusalError";
		this.code = code;
		this.data = data;
	}
}

export function openConnection(stdout: Readable, stdin: Writable): ServerConnection {
	const order = keepMessageOrder();
	const reader = new WholeMessageReader(stdout, order);
	const lastRequest: LastRequest = { id: null };
	const connection = createMessageConnection(reader, new WholeMessageWriter(stdin), NullLogger, {
		maxParallelism: Number.MAX_SAFE_INTEGER,
		messageStrategy: order.strategy,
		cancellationStrategy: {
			...CancellationStrategy.Message,
			sender: {
				...CancellationStrategy.Message.sender,
				enableCancellation: ({ id }) => {
					lastRequest.id = id;
				},
			},
		},
	});
	const breakage = createBreakage();
	reader.onError((error) => breakage.report(error.message));
	stdin.on("error", (error) => breakage.report(`its input was closed (${error.message})`));
	connection.onError(([error]) => breakage.report(`the connection failed (${error.message})`));
	connection.onClose(() => breakage.report("it closed the connection"));
	connection.listen();
	const start = (method: string, params: unknown) => startRequest(connection, lastRequest, method, params);
	const ahead = createQuestionsAhead(start);

	async function send(method: string, params: unknown): Promise<void> {
		ahead.forgetAll();
		try {
			if (params === undefined) await connection.sendNotification(method);
			else await connection.sendNotification(method, params);
		} catch (error) {
			breakage.report(error instanceof Error ? error.message : String(error));
		}
	}

	return {
		request: async (method, params, deadline) => {
			deadline.check();
			const started = ahead.take(method, params, deadline) ?? start(method, params);
			return await awaitAnswer(started, breakage, deadline);
		},
		askAhead: ahead.send,
		forgetAhead: ahead.forget,
		notify: (method, params) => {
			send(method, params).catch(() => undefined);
		},
		send,
		onNotification: (method, handler) => {
			connection.onNotification(method, (params: unknown) => handler(params));
		},
		onRequest: (method, handler) => {
			connection.onRequest(method, (params: unknown) => handler(params));
		},
		broken: breakage.reported,
		close: () => {
			breakage.report("it was stopped");
			connection.dispose();
		},
	};
}

/** The end of the stream, told to everybody who waits. Not a race of promises: each would keep its answer alive. */
interface Breakage {
	readonly report: (reason: string) => void;
	readonly reported: Promise<string>;
	readonly onBroken: (listener: (reason: string) => void) => () => void;
}

function createBreakage(): Breakage {
	const listeners = new Set<(reason: string) => void>();
	let reason: string | undefined;
	let resolveReported: (reason: string) => void = () => undefined;
	const reported = new Promise<string>((resolve) => {
		resolveReported = resolve;
	});
	return {
		report: (why) => {
			if (reason !== undefined) return;
			reason = why;
			resolveReported(why);
			for (const listener of listeners) listener(why);
			listeners.clear();
		},
		reported,
		onBroken: (listener) => {
			if (reason === undefined) listeners.add(listener);
			else listener(reason);
			return () => listeners.delete(listener);
		},
	};
}

/** The id the library gave the request it was last handed; it tells it to nobody else. */
interface LastRequest {
	id: number | string | null;
}

/**
 * Never throws: a connection that is closed rejects the answer. Cancels by id, because a token of the library costs
 * more than everything else about a request that is never cancelled.
 */
function startRequest(
	connection: MessageConnection,
	lastRequest: LastRequest,
	method: string,
	params: unknown,
): StartedRequest {
	try {
		const answer: Promise<unknown> =
			params === undefined ? connection.sendRequest(method) : connection.sendRequest(method, params);
		const { id } = lastRequest;
		// Nobody may come for the answer of a question that was asked ahead.
		answer.catch(() => undefined);
		return { answer, cancel: () => cancelRequest(connection, id) };
	} catch (error) {
		const answer = Promise.reject(error);
		answer.catch(() => undefined);
		return { answer, cancel: () => undefined };
	}
}

function cancelRequest(connection: MessageConnection, id: LastRequest["id"]): void {
	try {
		connection.sendNotification("$/cancelRequest", { id }).catch(() => undefined);
	} catch {
		// The connection is closed, and the request with it.
	}
}

function awaitAnswer(started: StartedRequest, breakage: Breakage, deadline: Deadline): Promise<unknown> {
	return new Promise((resolve, reject) => {
		const stopListening = () => {
			stopDeadline();
			stopBreakage();
		};
		const stopDeadline = deadline.onPassed(() => {
			started.cancel();
			stopListening();
			reject(deadline.reason());
		});
		const stopBreakage = breakage.onBroken((reason) => reject(new ServerGoneError(reason)));
		started.answer.then(
			(answer) => {
				stopListening();
				resolve(answer);
			},
			(error) => {
				stopListening();
				reject(toRequestError(error));
			},
		);
	});
}

function toRequestError(error: unknown): unknown {
	if (error instanceof ResponseError) return new ServerRefusalError(error.code, error.message, error.data);
	if (error instanceof Error && /^(ConnectionError|Connection is)/.test(`${error.name}${error.message}`)) {
		return new ServerGoneError(error.message);
	}
	return error;
}
