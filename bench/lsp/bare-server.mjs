// A language server spoken to directly: the thing the tool is measured against. Once with the least a client can do
// (framing and correlation), once with the library that most clients, and the tool, are made with.
import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { createMessageConnection, StreamMessageReader, StreamMessageWriter } from "vscode-jsonrpc/node";

const CLIENTS = { least: speakPlainly, library: speakThroughLibrary };

export function startBareServer(client, command, args, root) {
	const child = spawn(command, args, { cwd: root, stdio: ["pipe", "pipe", "ignore"] });
	const { request, notify } = CLIENTS[client](child);
	return {
		request,
		async initialize(initializationOptions) {
			const uri = pathToFileURL(root).href;
			await request("initialize", {
				processId: process.pid,
				rootUri: uri,
				workspaceFolders: [{ uri, name: "bench" }],
				capabilities: {
					textDocument: { diagnostic: {}, synchronization: {} },
					workspace: { configuration: true },
				},
				initializationOptions,
			});
			notify("initialized", {});
		},
		open(file) {
			const uri = pathToFileURL(file).href;
			const text = readFileSync(file, "utf8");
			notify("textDocument/didOpen", { textDocument: { uri, languageId: "typescript", version: 1, text } });
			return uri;
		},
		stop() {
			child.kill("SIGKILL");
		},
	};
}

/** Whatever a server asks: nothing is configured. */
const answerServer = (params) => (Array.isArray(params?.items) ? params.items.map(() => null) : null);

function speakPlainly(child) {
	const waiting = new Map();
	let buffer = Buffer.alloc(0);
	let nextId = 1;
	const send = (message) => {
		const body = JSON.stringify({ jsonrpc: "2.0", ...message });
		child.stdin.write(`Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`);
	};
	const receive = (message) => {
		if (message.method === undefined) waiting.get(message.id)?.(message.result);
		else if (message.id !== undefined) send({ id: message.id, result: answerServer(message.params) });
	};
	child.stdout.on("data", (chunk) => {
		buffer = Buffer.concat([buffer, chunk]);
		for (;;) {
			const end = buffer.indexOf("\r\n\r\n");
			if (end === -1) return;
			const length = Number(/content-length: *(\d+)/i.exec(buffer.subarray(0, end).toString())?.[1]);
			if (buffer.length < end + 4 + length) return;
			const body = buffer.subarray(end + 4, end + 4 + length).toString("utf8");
			buffer = buffer.subarray(end + 4 + length);
			receive(JSON.parse(body));
		}
	});
	return {
		notify: (method, params) => send({ method, params }),
		request: (method, params) =>
			new Promise((resolve) => {
				const id = nextId++;
				waiting.set(id, resolve);
				send({ id, method, params });
			}),
	};
}

function speakThroughLibrary(child) {
	const connection = createMessageConnection(
		new StreamMessageReader(child.stdout),
		new StreamMessageWriter(child.stdin),
	);
	connection.onRequest((_method, params) => answerServer(params));
	connection.onNotification(() => undefined);
	connection.onError(() => undefined);
	connection.listen();
	return {
		notify: (method, params) => void connection.sendNotification(method, params),
		request: (method, params) => connection.sendRequest(method, params),
	};
}
