import { asObject, asText, type JsonObject, messageOf } from "@deputize/ground";
import {
	type Caller,
	chooseVersion,
	parseHandshake,
	parseModernCaller,
	SERVER_INFO_KEY,
	SUPPORTED_VERSIONS,
	toCachedEra,
	toEra,
	UNKNOWN_CALLER,
} from "./caller.ts";
import { createOutgoing, type Outgoing } from "./create-outgoing.ts";
import { InputRequired } from "./input-required.ts";
import { type Message, parseRpcMessage, type RequestId, RPC_ERRORS, RpcError } from "./rpc.ts";

/** A request that is being processed. */
export interface Call {
	readonly params: JsonObject;
	readonly caller: Caller;
	/** Aborted when the client cancels the request. */
	readonly signal: AbortSignal;
	readonly outgoing: Outgoing;
	/** Undefined when the client asked for no progress. */
	readonly sendProgress: ((progress: JsonObject) => void) | undefined;
}

/** What is behind the protocol. Loaded on first use, because `initialize` has to be answered before that. */
export interface Services {
	listTools(call: Call): Promise<JsonObject>;
	/** Undefined when the client cancelled the call: then nobody expects an answer. */
	callTool(call: Call): Promise<JsonObject | undefined>;
	listPrompts(call: Call): Promise<JsonObject>;
	getPrompt(call: Call): Promise<JsonObject>;
	/** The roots that the client declared are no longer valid. */
	forgetRoots(): void;
}

/** The protocol, in both of its eras: which request gets which answer. Knows nothing about delegation. */
export function createServer(options: {
	readonly version: string;
	readonly send: (message: JsonObject) => void;
	/** Whether more can be written without buffering. */
	readonly hasRoom?: () => boolean;
	readonly services: Services;
}) {
	const { services } = options;
	const send = (message: JsonObject): void => options.send({ jsonrpc: "2.0", ...message });
	const outgoing = createOutgoing(options.send);
	const serverInfo = { name: "deputize", title: "deputize", version: options.version };
	const capabilities = { tools: {}, prompts: {} };
	const running = new Map<RequestId, AbortController>();
	let handshake: Caller = UNKNOWN_CALLER;

	const answer = async (method: string, call: Call): Promise<JsonObject | undefined> => {
		const { caller, params } = call;
		switch (method) {
			case "initialize": {
				handshake = parseHandshake(params);
				return { protocolVersion: chooseVersion(params["protocolVersion"]), capabilities, serverInfo };
			}
			case "server/discover":
				return toCachedEra(
					{ supportedVersions: SUPPORTED_VERSIONS, capabilities, _meta: { [SERVER_INFO_KEY]: serverInfo } },
					caller,
				);
			case "ping":
				return toEra({}, caller);
			case "tools/list":
				return toCachedEra(await services.listTools(call), caller);
			case "tools/call": {
				const result = await services.callTool(call);
				return result && toEra(result, caller);
			}
			case "prompts/list":
				return toCachedEra(await services.listPrompts(call), caller);
			case "prompts/get":
				return toEra(await services.getPrompt(call), caller);
			default:
				throw new RpcError(RPC_ERRORS.methodNotFound, `There is no method ${JSON.stringify(method)} here.`);
		}
	};

	const sendProgressFor = (params: JsonObject): Call["sendProgress"] => {
		const progressToken = asObject(params["_meta"])["progressToken"];
		if (typeof progressToken !== "string" && typeof progressToken !== "number") return undefined;
		return (progress) => {
			if (options.hasRoom?.() === false) return;
			send({ method: "notifications/progress", params: { progressToken, ...progress } });
		};
	};

	const handle = async (request: Extract<Message, { kind: "request" }>): Promise<void> => {
		const { id, method, params } = request;
		const abort = new AbortController();
		running.set(id, abort);
		try {
			const caller = parseModernCaller(params) ?? handshake;
			const sendProgress = sendProgressFor(params);
			const result = await answer(method, { params, caller, signal: abort.signal, outgoing, sendProgress });
			if (result !== undefined && !abort.signal.aborted) send({ id, result });
		} catch (error) {
			if (!abort.signal.aborted) send({ id, ...toFailureReply(error) });
		} finally {
			if (running.get(id) === abort) running.delete(id);
		}
	};

	const notice = (method: string, params: JsonObject): void => {
		// An unknown id belongs to a call that has been answered meanwhile; one client sends this after every call.
		if (method === "notifications/cancelled") running.get(params["requestId"] as RequestId)?.abort();
		if (method === "notifications/roots/list_changed") services.forgetRoots();
	};

	return {
		receive(line: string): void {
			const message = parseRpcMessage(line);
			if (message === undefined) return;
			if (message.kind === "request") void handle(message);
			else if (message.kind === "notification") notice(message.method, message.params);
			else if (message.kind === "response") outgoing.settle(message);
			else send({ id: message.id, ...toFailureReply(message.error) });
		},
		/** A line that was too long to be read. */
		refuseLine(lengthBytes: number): void {
			const problem = `A message of ${lengthBytes} bytes is too long. Put the material in a file and name it in the task.`;
			send({ id: null, ...toFailureReply(new RpcError(RPC_ERRORS.invalidRequest, problem)) });
		},
	};
}

/** A question is a result. Anything else that is not a refusal of ours is a bug; it must fail only the call that hit it. */
function toFailureReply(error: unknown): JsonObject {
	if (error instanceof InputRequired) return { result: error.toResult() };
	if (error instanceof RpcError) {
		const { code, message, data } = error;
		return { error: data === undefined ? { code, message } : { code, message, data } };
	}
	const message = asText(asObject(error)["message"]) || messageOf(error);
	return { error: { code: RPC_ERRORS.internalError, message: `deputize failed: ${message}` } };
}
