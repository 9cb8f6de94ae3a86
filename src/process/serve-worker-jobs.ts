import { parentPort } from "node:worker_threads";
import { messageOf } from "@deputize/ground";

/** The other end of the worker runner: answers every message with the outcome of `work`. */
export function serveWorkerJobs<Input, Value>(work: (input: Input) => Promise<Value>): void {
	const port = parentPort;
	if (!port) throw new Error("This file is the entry point of a worker thread.");
	// Nobody reads the output of this thread, so what libraries print would pile up.
	process.stdout.write = () => true;
	process.stderr.write = () => true;
	port.on("message", (input: Input) => {
		work(input).then(
			(value) => port.postMessage({ ok: true, value }),
			(error: unknown) =>
				port.postMessage({
					ok: false,
					reason: "crashed",
					message: messageOf(error),
				}),
		);
	});
}
