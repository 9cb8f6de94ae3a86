// A language server spoken to directly: framing and correlation, nothing else. The thing the tool is measured against.
import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

export function startBareServer(command, args, root) {
	const child = spawn(command, args, { cwd: root, stdio: ["pipe", "pipe", "ignore"] });
	const waiting = new Map();
	let buffer = Buffer.alloc(0);
	let nextId = 1;
	const send = (message) => {
		const body = JSON.stringify({ jsonrpc: "2.0", ...message });
		child.stdin.write(`Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`);
	};
	const request = (method, params) =>
		new Promise((resolve) => {
			const id = nextId++;
			waiting.set(id, resolve);
			send({ id, method, params });
		});
	const receive = (message) => {
		if (message.method === undefined) waiting.get(message.id)?.(message.result);
		else if (message.id !== undefined) {
			const items = message.params?.items;
			send({ id: message.id, result: Array.isArray(items) ? items.map(() => null) : null });
		}
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
			send({ method: "initialized", params: {} });
		},
		open(file) {
			const uri = pathToFileURL(file).href;
			const text = readFileSync(file, "utf8");
			send({
				method: "textDocument/didOpen",
				params: { textDocument: { uri, languageId: "typescript", version: 1, text } },
			});
			return uri;
		},
		stop() {
			child.kill("SIGKILL");
		},
	};
}
