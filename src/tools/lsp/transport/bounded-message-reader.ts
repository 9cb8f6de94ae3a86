import type { Readable } from "node:stream";
import {
	AbstractMessageReader,
	type DataCallback,
	type Disposable,
	type Message,
	type MessageReader,
} from "vscode-jsonrpc/node";
import { createOutputSplitter, describeGarbage } from "./split-server-output.ts";

/** Reads messages with a limit on their size and on chatter between them. Stops at the first garbage. */
export class BoundedMessageReader extends AbstractMessageReader implements MessageReader {
	readonly #stream: Readable;
	#stop: () => void = () => undefined;

	constructor(stream: Readable) {
		super();
		this.#stream = stream;
		stream.on("error", (error) =>
			this.fireError(new Error(`its output could not be read (${error.message})`)),
		);
		stream.on("close", () => this.fireClose());
	}

	listen(callback: DataCallback): Disposable {
		const split = createOutputSplitter();
		const onData = (chunk: Buffer) => {
			try {
				split(chunk, (body) => callback(parseServerMessage(body)));
			} catch (error) {
				this.#stop();
				this.fireError(error);
			}
		};
		this.#stop = () => {
			this.#stream.off("data", onData);
			// A server whose output is no longer read must not block in a write.
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

function parseServerMessage(body: string): Message {
	try {
		return JSON.parse(body) as Message;
	} catch {
		throw new Error(describeGarbage(body));
	}
}
