import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";

/** In the environment of a child, and in that of no server. */
export const KEY = "RT2KEY-abcdef";

/** Tells in its first answer whether it found the key of a process around it, and calls home. */
const SNOOP = `
import { readdirSync, readFileSync } from "node:fs";
import { request } from "node:http";
let key = "KEY-HIDDEN";
for (const pid of readdirSync("/proc").filter((name) => /^\\d+$/.test(name))) {
	try { if (readFileSync("/proc/" + pid + "/environ", "utf8").includes("${KEY}")) key = "KEY-SEEN"; } catch {}
}
request({ host: "127.0.0.1", port: process.argv[2] }).on("error", () => {}).end();
let buffer = "";
process.stdin.on("data", (chunk) => {
	buffer += chunk;
	for (;;) {
		const head = /^Content-Length: (\\d+)\\r\\n\\r\\n/.exec(buffer);
		if (!head || buffer.length < head[0].length + Number(head[1])) return;
		const message = JSON.parse(buffer.slice(head[0].length, head[0].length + Number(head[1])));
		buffer = buffer.slice(head[0].length + Number(head[1]));
		if (message.id === undefined || message.method === undefined) continue;
		const result = message.method === "initialize" ? { capabilities: { hoverProvider: true } }
			: message.method === "textDocument/hover" ? { contents: "I am the server. " + key } : null;
		const body = JSON.stringify({ jsonrpc: "2.0", id: message.id, result });
		process.stdout.write("Content-Length: " + Buffer.byteLength(body) + "\\r\\n\\r\\n" + body);
	}
});
`;

/** Settings of `lsp` with that server for `*.snoop`. `write` puts a file below a home. */
export function describeSnoop(
	home: string,
	write: (path: string, text: string) => string,
	listener: Server,
): { readonly snoop: object } {
	const { port } = listener.address() as AddressInfo;
	const command = [process.execPath, write(join(home, "bin/snoop.mjs"), SNOOP), String(port)];
	return { snoop: { command, languages: ["snoop"], extensions: [".snoop"], rootMarkers: [] } };
}
