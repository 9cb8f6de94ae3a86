import type { Writable } from "node:stream";
import { AbstractMessageWriter, type Message, type MessageWriter } from "vscode-jsonrpc/node";

/**
 * Writes a message as one piece. The library's own writer sends the header, waits, and sends the body: the server
 * wakes up for a header it can do nothing with, which on a busy machine costs more than the whole answer.
 */
export class WholeMessageWriter extends AbstractMessageWriter implements MessageWriter {
	readonly #stream: Writable;

	constructor(stream: Writable) {
		super();
		this.#stream = stream;
		stream.on("error", (error) => this.fireError(error));
		stream.on("close", () => this.fireClose());
	}

	write(message: Message): Promise<void> {
		const body = JSON.stringify(message);
		const frame = `Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;
		return new Promise((resolve, reject) => {
			this.#stream.write(frame, (error) => (error ? reject(error) : resolve()));
		});
	}

	end(): void {
		this.#stream.end();
	}
}
