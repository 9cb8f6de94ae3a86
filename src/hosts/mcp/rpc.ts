import { asObject, isObject, type JsonObject, parseJson } from "@deputize/ground";

export type RequestId = string | number;

export const RPC_ERRORS = {
	parseError: -32700,
	invalidRequest: -32600,
	methodNotFound: -32601,
	invalidParams: -32602,
	internalError: -32603,
	unsupportedProtocolVersion: -32022,
} as const;

/** How a request is refused on the level of the protocol. A failed delegation is a result, not one of these. */
export class RpcError extends Error {
	readonly code: number;
	readonly data?: unknown;

	constructor(code: number, message: string, data?: unknown) {
		super(message);
		this.name = "RpcError";
		this.code = code;
		if (data !== undefined) this.data = data;
	}
}

export type Message =
	| { readonly kind: "request"; readonly id: RequestId; readonly method: string; readonly params: JsonObject }
	| { readonly kind: "notification"; readonly method: string; readonly params: JsonObject }
	/** An answer to a request of ours. */
	| {
			readonly kind: "response";
			readonly id: RequestId;
			readonly result?: JsonObject;
			readonly error?: JsonObject;
	  }
	| { readonly kind: "invalid"; readonly id: RequestId | null; readonly error: RpcError };

/** One line to a message. Undefined for an empty line. Batches left the protocol in 2025. */
export function parseRpcMessage(line: string): Message | undefined {
	if (line.trim() === "") return undefined;
	const value = parseJson(line);
	if (value === undefined) return refuseMessage(null, RPC_ERRORS.parseError, "This line is not JSON.");
	if (!isObject(value)) {
		return refuseMessage(
			null,
			RPC_ERRORS.invalidRequest,
			"A message is one JSON object; batches are not accepted.",
		);
	}
	const id = isId(value["id"]) ? value["id"] : undefined;
	const { method } = value;
	if (typeof method === "string") {
		const params = asObject(value["params"]);
		return id === undefined
			? { kind: "notification", method, params }
			: { kind: "request", id, method, params };
	}
	if (id === undefined || !("result" in value || "error" in value)) {
		return refuseMessage(id ?? null, RPC_ERRORS.invalidRequest, "A request needs an id and a method.");
	}
	return isObject(value["error"])
		? { kind: "response", id, error: value["error"] }
		: { kind: "response", id, result: asObject(value["result"]) };
}

function isId(value: unknown): value is RequestId {
	return typeof value === "string" || typeof value === "number";
}

function refuseMessage(id: RequestId | null, code: number, message: string): Message {
	return { kind: "invalid", id, error: new RpcError(code, message) };
}
