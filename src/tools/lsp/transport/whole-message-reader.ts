import type { Readable } from "node:stream";
import {
	AbstractMessageReader,
	type DataCallback,
	type Disposable,
	type Message,
	type MessageReader,
} from "vscode-jsonrpc/node";
import type { MessageOrder } from "./keep-message-order.ts";
import { createOutputSplitter, describeGarbage } from "./split-server-output.ts";

/** Hands a message on in the turn of the event loop in which its last byte arrives. Ends at the first garbage. */
export class WholeMessageReader extends AbstractMessageReader implements MessageReader {
	readonly #stream: Readable;
	readonly #order: MessageOrder;
	#stop: () => void = () => undefined;

	constructor(stream: Readable, order: MessageOrder) {
		super();
		this.#order = order;
		this.#stream = stream;
		stream.on("error", (error) =>
			this.fireError(new Error(`its output could not be read (${error.message})`)),
		);
		stream.on("close", () => this.fireClose());
	}

	listen(callback: DataCallback): Disposable {
		const split = createOutputSplitter();
		const receive = this.#order.apply(callback);
		const onBody = (body: string) => receive(parseMessage(body));
		const onData = (chunk: Buffer) => {
			try {
				split(chunk, onBody);
			} catch (error) {
				this.#stop();
				this.fireError(error);
			}
		};
		this.#stop = () => {
			this.#stream.off("data", onData);
			// A server that is not read from any more must not hang in its writes.
			this.#stream.resume();
		};
		this.#stream.on("data", onData);
		return { dispose: () => this.#stop() };
	}

	override dispose(): void {
		this.#stop();
		super.dispose();
	}
}

function parseMessage(body: string): Message {
	try {
		return JSON.parse(body) as Message;
	} catch {
		throw new Error(describeGarbage(body));
	}
}
