// A built site over HTTP, for this machine only. VitePress's own preview listens on all addresses.
import { existsSync, readFileSync, statSync } from "node:fs";
import { createServer } from "node:http";
import { extname, join, resolve, sep } from "node:path";

const TYPES = {
	".html": "text/html; charset=utf-8",
	".js": "text/javascript",
	".css": "text/css",
	".svg": "image/svg+xml",
	".png": "image/png",
};

/** The server, and its address; port 0 takes a free one. */
export async function serveSite(directory, port) {
	const server = createServer((request, response) => {
		const path = decodeURIComponent(new URL(request.url ?? "/", "http://localhost").pathname);
		const file = resolve(directory, `.${path.endsWith("/") ? `${path}index.html` : path}`);
		const isThere = file.startsWith(join(directory, sep)) && existsSync(file) && statSync(file).isFile();
		if (!isThere) return response.writeHead(404).end("There is no such page.\n");
		response.writeHead(200, { "content-type": TYPES[extname(file)] ?? "application/octet-stream" });
		response.end(readFileSync(file));
	});
	await new Promise((done, fail) => {
		server.once("error", fail).listen(port, "127.0.0.1", done);
	});
	return { server, address: `http://127.0.0.1:${server.address().port}` };
}
