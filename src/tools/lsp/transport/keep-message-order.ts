import { type DataCallback, Message, type MessageStrategy } from "vscode-jsonrpc/node";

export interface MessageOrder {
	/** What the library is given to be told of every message it takes from its queue. */
	readonly strategy: MessageStrategy;
	/** The library's callback, with responses held back until what the server said before them was handled. */
	readonly apply: (callback: DataCallback) => DataCallback;
}

/**
 * With a limit on parallel work the library answers a request in the turn in which the response arrives, instead of one
 * turn per message of its queue. It then lets responses overtake: an answer could be believed although the server had
 * announced before it that it is still loading.
 */
export function keepMessageOrder(): MessageOrder {
	// Keyed as the library's queue is: a second request with the same id replaces the first.
	const queued = new Map<unknown, Message>();
	const held: Message[] = [];
	let deliver: DataCallback = () => undefined;

	function settle(message: Message): void {
		queued.delete(toQueueKey(message));
		if (queued.size > 0) return;
		for (const response of held.splice(0)) deliver(response);
	}

	return {
		strategy: {
			handleMessage: (message, next) => {
				try {
					return next(message);
				} finally {
					settle(message);
				}
			},
		},
		apply: (callback) => {
			deliver = callback;
			return (message) => {
				if (Message.isResponse(message)) {
					if (queued.size === 0) callback(message);
					else held.push(message);
					return;
				}
				// A cancellation is handled on arrival and may never be queued.
				if (!isCancellation(message)) queued.set(toQueueKey(message), message);
				callback(message);
			};
		},
	};
}

function isCancellation(message: Message): boolean {
	return Message.isNotification(message) && message.method === "$/cancelRequest";
}

function toQueueKey(message: Message): unknown {
	return Message.isRequest(message) ? String(message.id) : message;
}
