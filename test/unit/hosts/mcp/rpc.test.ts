import { describe, expect, it } from "vitest";
import { parseRpcMessage } from "../../../../src/hosts/mcp/rpc.ts";

describe("a line from the client", () => {
	it.each([
		['{"jsonrpc":"2.0","id":1,"method":"ping"}', { kind: "request", id: 1, method: "ping", params: {} }],
		['{"method":"x","params":{"a":1},"id":"s"}', { kind: "request", id: "s", method: "x", params: { a: 1 } }],
		['{"method":"x","params":[1]}', { kind: "notification", method: "x", params: {} }],
		['{"method":"x","id":null}', { kind: "notification", method: "x", params: {} }],
		['{"id":"d-1","result":{"roots":[]}}', { kind: "response", id: "d-1", result: { roots: [] } }],
		['{"id":"d-1","error":{"code":1}}', { kind: "response", id: "d-1", error: { code: 1 } }],
		['{"id":3}\r', { kind: "invalid", id: 3, error: { code: -32600 } }],
		["{", { kind: "invalid", id: null, error: { code: -32700 } }],
		['[{"jsonrpc":"2.0","id":1,"method":"ping"}]', { kind: "invalid", id: null, error: { code: -32600 } }],
		["null", { kind: "invalid", id: null, error: { code: -32600 } }],
	])("%s", (line, message) => {
		expect(parseRpcMessage(line)).toMatchObject(message);
	});

	it("may be empty", () => {
		expect(parseRpcMessage(" \r")).toBeUndefined();
	});
});
