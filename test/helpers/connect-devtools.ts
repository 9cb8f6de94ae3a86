import { once } from "node:events";

/** Far more than a busy machine needs, and below the limit of every test. */
const REPLY_MS = 30_000;

type Fields = Record<string, unknown>;

export interface Devtools {
	readonly send: (method: string, params?: object) => Promise<Fields>;
	disconnect(): Promise<void>;
}

/**
 * Speaks the DevTools protocol to a tab of Chromium, or to Node. Every command is answered, or fails: also when the other
 * side goes away, which `Page.close` makes it do before it has answered.
 */
export async function connectDevtools(
	address: string,
	onEvent: (method: string, params: Fields) => void = () => undefined,
): Promise<Devtools> {
	const socket = new WebSocket(address);
	const waiting = new Map<number, PromiseWithResolvers<Fields>>();
	const { promise: closed, resolve: settleClosed } = Promise.withResolvers<void>();
	let number = 0;
	socket.addEventListener("message", ({ data }) => {
		const { id, method, params, result, error } = JSON.parse(String(data));
		if (id === undefined) return onEvent(method, params);
		if (error) waiting.get(id)?.reject(new Error(JSON.stringify(error)));
		else waiting.get(id)?.resolve(result);
	});
	socket.addEventListener("close", () => {
		for (const { reject } of waiting.values()) reject(new Error("the connection is closed"));
		settleClosed();
	});
	await Promise.race([once(socket, "open"), closed]);
	return {
		disconnect() {
			socket.close();
			return closed;
		},
		async send(method, params = {}) {
			if (socket.readyState !== WebSocket.OPEN) throw new Error(`${method}: the connection is closed`);
			number += 1;
			const id = number;
			const reply = Promise.withResolvers<Fields>();
			waiting.set(id, reply);
			const limit = setTimeout(() => reply.reject(new Error(`no answer in ${REPLY_MS} ms`)), REPLY_MS);
			try {
				socket.send(JSON.stringify({ id, method, params }));
				return await reply.promise;
			} catch (error) {
				throw new Error(`${method}: ${error instanceof Error ? error.message : error}`);
			} finally {
				clearTimeout(limit);
				waiting.delete(id);
			}
		},
	};
}
