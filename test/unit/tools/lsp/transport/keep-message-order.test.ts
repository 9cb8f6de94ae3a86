import { describe, expect, it } from "vitest";
import type { Message } from "vscode-jsonrpc/node";
import { keepMessageOrder } from "../../../../../src/tools/lsp/transport/keep-message-order.ts";

const response = (id: number) => ({ jsonrpc: "2.0", id, result: null });
const notification = (method: string) => ({ jsonrpc: "2.0", method });
const request = (id: number) => ({ jsonrpc: "2.0", id, method: "workspace/configuration" });

/** The library as far as order is concerned: responses at once, the rest from a queue keyed by id. */
function createLibrary() {
	const order = keepMessageOrder();
	const handled: Message[] = [];
	const queue = new Map<unknown, Message>();
	const receive = order.apply((message) => {
		if ("result" in message) handled.push(message);
		else queue.set("id" in message ? message.id : message, message);
	});
	const takeNext = () => {
		const [key, message] = [...queue][0] ?? [];
		if (message === undefined) return;
		queue.delete(key);
		void order.strategy.handleMessage(message, (taken) => {
			handled.push(taken);
		});
	};
	return { receive, takeNext, handled };
}

describe("keepMessageOrder", () => {
	it("lets a response through at once when nothing waits before it", () => {
		const { receive, handled } = createLibrary();
		receive(response(1));
		expect(handled).toEqual([response(1)]);
	});

	it("holds a response until everything that came before it was handled", () => {
		const { receive, takeNext, handled } = createLibrary();
		for (const message of [notification("$/progress"), request(7), response(1), notification("later")])
			receive(message);
		takeNext();
		expect(handled).toEqual([notification("$/progress")]);
		takeNext();
		takeNext();
		expect(handled).toEqual([notification("$/progress"), request(7), notification("later"), response(1)]);
	});

	it("is not stopped for good by a cancellation that is never queued, or by two requests with one id", () => {
		const { receive, takeNext, handled } = createLibrary();
		const order = keepMessageOrder();
		const seen: Message[] = [];
		const direct = order.apply((message) => seen.push(message));
		direct(notification("$/cancelRequest"));
		direct(response(1));
		expect(seen).toEqual([notification("$/cancelRequest"), response(1)]);
		for (const message of [request(7), request(7), response(2)]) receive(message);
		takeNext();
		expect(handled).toEqual([request(7), response(2)]);
	});

	it("goes on after a handler that throws", () => {
		const order = keepMessageOrder();
		const seen: Message[] = [];
		const receive = order.apply((message) => seen.push(message));
		const broken = notification("broken");
		receive(broken);
		receive(response(1));
		expect(() =>
			order.strategy.handleMessage(broken, () => {
				throw new Error("handler");
			}),
		).toThrow("handler");
		expect(seen).toEqual([broken, response(1)]);
	});
});
