import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { findFreePort, type QueueServer, requireServer, stopProcess, waitForPort } from "./queue-server.ts";

/**
 * A real Redis on loopback with its own directory. What it keeps when it is killed: everything up to the last second
 * (`log`), what the last snapshot has (`snapshots`, as Debian's settings do), or nothing.
 */
export async function startRedis(
	options: { readonly keeps?: "log" | "snapshots" | "nothing" } = {},
): Promise<QueueServer> {
	const { keeps = "log" } = options;
	const program = requireServer("redis-server", ["/usr/bin/redis-server", "/usr/local/bin/redis-server"]);
	const directory = mkdtempSync(join(tmpdir(), "deputize-redis-"));
	const port = await findFreePort();
	const start = async (): Promise<ChildProcess> => {
		const child = spawn(
			program,
			[
				...["--port", String(port), "--bind", "127.0.0.1", "--dir", directory],
				...["--save", keeps === "snapshots" ? "3600 1 300 100 60 10000" : ""],
				...["--appendonly", keeps === "log" ? "yes" : "no", "--appendfsync", "everysec"],
				...["--maxmemory-policy", "noeviction"],
			],
			{ stdio: "ignore" },
		);
		await waitForPort(port);
		return child;
	};
	let child = await start();
	return {
		url: `redis://127.0.0.1:${port}`,
		kill: () => stopProcess(child, "SIGKILL"),
		async restart() {
			child = await start();
		},
		async stop() {
			await stopProcess(child, "SIGTERM");
			rmSync(directory, { recursive: true, force: true });
		},
	};
}
