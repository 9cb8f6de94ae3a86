import type { Readable, Writable } from "node:stream";
import {
	CancellationTokenSource,
	createMessageConnection,
	type MessageConnection,
	NullLogger,
	ResponseError,
	StreamMessageWriter,
} from "vscode-jsonrpc/node";
import { messageOf } from "../../../errors/message-of.ts";
import { type Deadline, withinDeadline } from "../../../waiting/create-deadline.ts";
import { ServerGoneError, ServerRefusalError } from "../lsp-error.ts";
import { BoundedMessageReader } from "./bounded-message-reader.ts";

/** JSON-RPC with a deadline on every request. What arrives is `unknown`; whoever asked makes it a type. */
export interface ServerConnection {
	readonly request: (method: string, params: unknown, deadline: Deadline) => Promise<unknown>;
	readonly notify: (method: string, params: unknown) => void;
	/** The same, settled once it was handed to the pipe: the last message must not be cut off. Never rejects. */
	readonly send: (method: string, params: unknown) => Promise<void>;
	readonly onNotification: (method: string, handler: (params: unknown) => void) => void;
	readonly onRequest: (method: string, handler: (params: unknown) => unknown) => void;
	/** Settles with the reason when the stream can no longer be read or written. */
	readonly broken: Promise<string>;
	readonly close: () => void;
}

export function openConnection(stdout: Readable, stdin: Writable): ServerConnection {
	const reader = new BoundedMessageReader(stdout);
	const connection = createMessageConnection(reader, new StreamMessageWriter(stdin), NullLogger);
	let settleBroken: (reason: string) => void = () => undefined;
	const broken = new Promise<string>((resolve) => {
		settleBroken = resolve;
	});
	let brokenReason: string | undefined;

	/** The first reason wins. Disposing rejects every request that is still waiting. */
	function breakDown(reason: string): void {
		if (brokenReason !== undefined) return;
		brokenReason = reason;
		settleBroken(reason);
		connection.dispose();
	}

	reader.onError((error) => breakDown(error.message));
	stdin.on("error", (error) => breakDown(`its input was closed (${error.message})`));
	connection.onError(([error]) => breakDown(`the connection failed (${error.message})`));
	connection.onClose(() => breakDown("it closed the connection"));
	connection.listen();

	async function send(method: string, params: unknown): Promise<void> {
		try {
			await connection.sendNotification(method, ...listParams(params));
		} catch (error) {
			breakDown(messageOf(error));
		}
	}

	return {
		request: async (method, params, deadline) => {
			deadline.check();
			try {
				return await sendRequest(connection, method, params, deadline);
			} catch (error) {
				if (deadline.isPassed()) throw deadline.reason();
				if (brokenReason !== undefined) throw new ServerGoneError(brokenReason);
				if (!(error instanceof ResponseError)) throw error;
				throw new ServerRefusalError(error.code, error.message, error.data);
			}
		},
		notify: (method, params) => void send(method, params),
		send,
		onNotification: (method, handler) => {
			connection.onNotification(method, (params: unknown) => handler(params));
		},
		onRequest: (method, handler) => {
			connection.onRequest(method, (params: unknown) => handler(params));
		},
		broken,
		close: () => breakDown("it was stopped"),
	};
}

/** When the deadline passes, the server is asked to cancel and nobody waits for it to do so. */
async function sendRequest(
	connection: MessageConnection,
	method: string,
	params: unknown,
	deadline: Deadline,
): Promise<unknown> {
	const cancellation = new CancellationTokenSource();
	const stopListening = deadline.onPassed(() => cancellation.cancel());
	try {
		const answer = connection.sendRequest(method, ...listParams(params), cancellation.token);
		return await withinDeadline(answer, deadline);
	} finally {
		stopListening();
		cancellation.dispose();
	}
}

/** `shutdown` and `exit` have no parameters, and some servers refuse an explicit null. */
function listParams(params: unknown): readonly unknown[] {
	return params === undefined ? [] : [params];
}
