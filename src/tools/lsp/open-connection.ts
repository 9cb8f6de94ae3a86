import type { Readable, Writable } from "node:stream";
import {
	CancellationTokenSource,
	createMessageConnection,
	type MessageConnection,
	NullLogger,
	ResponseError,
	StreamMessageReader,
} from "vscode-jsonrpc/node";
import { type Deadline, withinDeadline } from "./create-deadline.ts";
import { guardServerOutput } from "./guard-server-output.ts";
import { ServerGoneError } from "./lsp-error.ts";
import { WholeMessageWriter } from "./whole-message-writer.ts";

/** JSON-RPC with a deadline on every request. What arrives is `unknown`; whoever asked makes it a type. */
export interface ServerConnection {
	readonly request: (method: string, params: unknown, deadline: Deadline) => Promise<unknown>;
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
	const guarded = guardServerOutput();
	let reportBroken: (reason: string) => void = () => undefined;
	const broken = new Promise<string>((resolve) => {
		reportBroken = resolve;
	});
	guarded.on("error", (error) => reportBroken(error.message));
	stdout.on("error", (error) => reportBroken(`its output could not be read (${error.message})`));
	stdin.on("error", (error) => reportBroken(`its input was closed (${error.message})`));
	stdout.pipe(guarded);

	const connection = createMessageConnection(
		new StreamMessageReader(guarded),
		new WholeMessageWriter(stdin),
		NullLogger,
	);
	connection.onError(([error]) => reportBroken(`the connection failed (${error.message})`));
	connection.onClose(() => reportBroken("it closed the connection"));
	connection.listen();
	const gone = broken.then((reason) => {
		throw new ServerGoneError(reason);
	});
	gone.catch(() => undefined);

	async function send(method: string, params: unknown): Promise<void> {
		try {
			if (params === undefined) await connection.sendNotification(method);
			else await connection.sendNotification(method, params);
		} catch (error) {
			reportBroken(error instanceof Error ? error.message : String(error));
		}
	}

	return {
		request: (method, params, deadline) => sendRequest(connection, gone, method, params, deadline),
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
		broken,
		close: () => {
			reportBroken("it was stopped");
			stdout.unpipe(guarded);
			stdout.resume();
			connection.dispose();
		},
	};
}

async function sendRequest(
	connection: MessageConnection,
	gone: Promise<never>,
	method: string,
	params: unknown,
	deadline: Deadline,
): Promise<unknown> {
	deadline.check();
	const cancellation = new CancellationTokenSource();
	// Sends `$/cancelRequest`; we do not wait for the server to honour it.
	const cancel = () => cancellation.cancel();
	deadline.signal.addEventListener("abort", cancel, { once: true });
	const answer: Promise<unknown> =
		params === undefined
			? connection.sendRequest(method, cancellation.token)
			: connection.sendRequest(method, params, cancellation.token);
	answer.catch(() => undefined);
	try {
		return await withinDeadline(Promise.race([answer, gone]), deadline);
	} catch (error) {
		throw toRequestError(error);
	} finally {
		deadline.signal.removeEventListener("abort", cancel);
		cancellation.dispose();
	}
}

function toRequestError(error: unknown): unknown {
	if (error instanceof ResponseError) return new ServerRefusalError(error.code, error.message, error.data);
	if (error instanceof Error && /^(ConnectionError|Connection is)/.test(`${error.name}${error.message}`)) {
		return new ServerGoneError(error.message);
	}
	return error;
}
