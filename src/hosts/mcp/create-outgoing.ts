import { defined, type JsonObject } from "@deputize/ground";
import type { Message } from "./rpc.ts";

/** Requests of ours to a client of the handshake era. */
export interface Outgoing {
	/** The client's answer; undefined when it refuses, when the time is up, or after `signal`. */
	ask(
		question: { readonly method: string; readonly params?: JsonObject },
		options: { readonly timeoutMs: number; readonly signal?: AbortSignal },
	): Promise<JsonObject | undefined>;
	settle(response: Extract<Message, { kind: "response" }>): void;
}

export function createOutgoing(send: (message: JsonObject) => void): Outgoing {
	const waiting = new Map<string | number, (result: JsonObject | undefined) => void>();
	let asked = 0;
	return {
		ask({ method, params }, { timeoutMs, signal }) {
			if (signal?.aborted) return Promise.resolve(undefined);
			asked += 1;
			const id = `deputize-${asked}`;
			return new Promise((resolve) => {
				const finish = (result: JsonObject | undefined): void => {
					clearTimeout(timer);
					signal?.removeEventListener("abort", withdraw);
					waiting.delete(id);
					resolve(result);
				};
				const withdraw = (): void => {
					send({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: id } });
					finish(undefined);
				};
				const timer = setTimeout(withdraw, timeoutMs);
				signal?.addEventListener("abort", withdraw, { once: true });
				waiting.set(id, finish);
				send({ jsonrpc: "2.0", id, method, ...defined({ params }) });
			});
		},
		settle({ id, result }) {
			waiting.get(id)?.(result);
		},
	};
}
