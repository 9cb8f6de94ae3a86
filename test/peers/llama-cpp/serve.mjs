// `node serve.mjs model.gguf`: llama.cpp's server on loopback; prints its port when it is ready. What it answers is llama.cpp's own,
// in WebAssembly made for browsers: the few lines of a browser that it needs, and of HTTP, are here.
import { resolveObjectURL } from "node:buffer";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { createRequire } from "node:module";
import { basename } from "node:path";
import { Worker as Thread } from "node:worker_threads";

const PRELUDE = `
const { parentPort } = require("node:worker_threads");
globalThis.self = globalThis;
globalThis.postMessage = (message, transfer) => parentPort.postMessage(message, transfer);
parentPort.on("message", (data) => globalThis.onmessage({ data }));
`;

/** A browser's worker, made of a thread: its program comes as a blob, and may be sent messages before it runs. */
class Worker {
	#waiting = [];
	#thread;

	constructor(url) {
		void this.#start(url);
	}

	async #start(url) {
		const code = await resolveObjectURL(url).text();
		this.#thread = new Thread(`${PRELUDE}${code}`, { eval: true });
		this.#thread.on("message", (data) => this.onmessage?.({ data }));
		this.#thread.on("error", (error) => this.onerror?.(error));
		for (const message of this.#waiting) this.#thread.postMessage(...message);
	}

	postMessage(...message) {
		if (this.#thread) this.#thread.postMessage(...message);
		else this.#waiting.push(message);
	}

	terminate() {
		void this.#thread?.terminate();
	}
}

Object.assign(globalThis, { self: globalThis, Worker, location: new URL(import.meta.url) });

const require = createRequire(import.meta.url);
const { Wllama } = await import("@wllama/wllama/esm/index.js");
const compat = require.resolve("@wllama/wllama-compat/wasm/wllama.js");
const silent = () => undefined;
const logger = { debug: silent, log: silent, warn: silent, error: (...words) => console.error(...words) };
const wllama = new Wllama({ default: "unused" }, { logger, cacheManager: {}, modelManager: {} });
wllama.setCompat({
	wasm: require.resolve("@wllama/wllama-compat/wasm/wllama.wasm"),
	worker: { code: readFileSync(compat, "utf8") },
});
const file = process.argv[2];
const options = { n_threads: 1, n_gpu_layers: 0, n_ctx: 8192, jinja: true };
await wllama.loadModel([new Blob([readFileSync(file)])], options);

/** One answer after the other. */
let turn = Promise.resolve();
let count = 0;

async function answer(body, response) {
	count += 1;
	try {
		const stream = await wllama.createChatCompletion(body);
		response.writeHead(200, { "content-type": "text/event-stream" });
		for await (const chunk of stream) {
			// It answers with the model it has, whatever it was asked for.
			const named = { ...chunk, id: `chatcmpl-${count}`, model: basename(file) };
			response.write(`data: ${JSON.stringify(named)}\n\n`);
		}
		response.end("data: [DONE]\n\n");
	} catch (error) {
		const message = error instanceof Error ? error.message : String(error);
		if (!response.headersSent) response.writeHead(400, { "content-type": "application/json" });
		response.end(JSON.stringify({ error: { code: 400, message, type: "invalid_request_error" } }));
	}
}

const server = createServer(async (request, response) => {
	let text = "";
	for await (const part of request) text += part;
	if (request.url === "/v1/models")
		return response.end(JSON.stringify({ object: "list", data: [{ id: basename(file), object: "model" }] }));
	if (request.url !== "/v1/chat/completions") return response.writeHead(404).end("{}");
	turn = turn.then(() => answer(JSON.parse(text), response));
});
server.listen(0, "127.0.0.1", () => process.stdout.write(`${server.address().port}\n`));
// Whoever started it has gone.
process.stdin.on("end", () => process.exit(0)).resume();
