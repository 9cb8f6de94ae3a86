import { defined, type JsonObject } from "@deputize/ground";
import type { Message } from "./rpc.ts";

export function createOutgoing(send: (message: JsonObject) => void) {
	const waiting = new Map<string | number, (result: JsonObject | undefined) => void>();
	let asked = 0;
	return {
		/** The client's answer; undefined when it refuses, when the time is up, or after `signal`. */
		ask(
			{ method, params }: { readonly method: string; readonly params?: JsonObject },
			{ timeoutMs, signal }: { readonly timeoutMs: number; readonly signal?: AbortSignal },
		): Promise<JsonObject | undefined> {
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
		settle({ id, result }: Extract<Message, { kind: "response" }>): void {
			waiting.get(id)?.(result);
		},
	};
}

/** Requests of ours to a client of the handshake era. */
export type Outgoing = ReturnType<typeof createOutgoing>;
