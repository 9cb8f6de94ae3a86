import { createLineSplitter } from "@deputize/ground";
import { LIMITS } from "../../contract/limits.ts";
import type { McpServerOptions } from "../../contract/mcp.ts";
import { readPackageVersion } from "../../contract/read-package-version.ts";
import { createServer } from "./create-server.ts";
import { createServices } from "./create-services.ts";

/** A task of the largest size, with every byte of it escaped, and what is around it. */
const MAX_LINE_BYTES = 4 * LIMITS.maxTaskBytes;
/** From the first sign that the client is gone to the end of this process. */
const CLOSE_MS = LIMITS.stopGraceMs + LIMITS.drainMs;

const EXIT_CODES = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 } as const;

/** Serves one client until it goes away: end of input, a closed output, or a signal. Returns the exit code. */
export async function serveStdio(options: McpServerOptions): Promise<number> {
	const services = createServices(options);
	const server = createServer({
		version: readPackageVersion(),
		send: (message) => process.stdout.write(`${JSON.stringify(message)}\n`),
		hasRoom: () => !process.stdout.writableNeedDrain,
		services,
	});
	const lines = createLineSplitter({
		maxLineBytes: MAX_LINE_BYTES,
		onLine: (line) => server.receive(line.toString("utf8")),
		onSkip: server.refuseLine,
	});
	process.stdin.on("data", (chunk: Buffer) => lines.push(chunk));
	const exitCode = await untilClientIsGone();
	await services.close(CLOSE_MS);
	return exitCode;
}

/** The first reason counts; whatever follows while the children are stopped is ignored. */
function untilClientIsGone(): Promise<number> {
	return new Promise((resolve) => {
		process.stdin.on("end", () => resolve(0)).on("error", () => resolve(0));
		process.stdout.on("error", (error: NodeJS.ErrnoException) => {
			if (error.code === "EPIPE") return resolve(0);
			process.stderr.write(`deputize mcp: answers cannot be written to stdout (${error.message}).\n`);
			resolve(1);
		});
		for (const [name, exitCode] of Object.entries(EXIT_CODES)) process.on(name, () => resolve(exitCode));
	});
}
