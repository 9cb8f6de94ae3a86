import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { chmodSync, chownSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { findFreePort, type QueueServer, requireServer, stopProcess, waitUntil } from "./queue-server.ts";

const VERSIONS = "/usr/lib/postgresql";

/** A real PostgreSQL on loopback with its own directory. It refuses to run as root: then another user runs it. */
export async function startPostgres(): Promise<QueueServer> {
	const programs = findPrograms();
	const user = chooseUser();
	// The temporary directory of a test run belongs to root alone: another user cannot get into it.
	const directory = mkdtempSync(join(user === undefined ? tmpdir() : "/tmp", "deputize-postgres-"));
	if (user !== undefined) chownSync(directory, user.uid, user.gid);
	chmodSync(directory, 0o700);
	const as = user === undefined ? {} : user;
	execFileSync(
		join(programs, "initdb"),
		["-D", directory, "-U", "deputize", "-A", "trust", "--no-sync", "-E", "UTF8", "--locale=C"],
		{ ...as, cwd: "/", stdio: "ignore" },
	);
	const port = await findFreePort();
	const isReady = (): boolean => {
		try {
			execFileSync(join(programs, "pg_isready"), ["-h", "127.0.0.1", "-p", String(port)], {
				stdio: "ignore",
			});
			return true;
		} catch {
			return false;
		}
	};
	const start = async (): Promise<ChildProcess> => {
		for (;;) {
			const child = spawn(
				join(programs, "postgres"),
				[
					...["-D", directory, "-p", String(port), "-c", "listen_addresses=127.0.0.1"],
					...["-c", "unix_socket_directories=", "-c", "max_connections=60"],
				],
				{ ...as, cwd: "/", stdio: "ignore" },
			);
			await waitUntil(() => child.exitCode !== null || isReady(), "PostgreSQL to answer");
			// After a kill its orphans still hold the shared memory for a moment, and a new one refuses to start.
			if (child.exitCode === null) return child;
			await new Promise((resolve) => setTimeout(resolve, 200));
		}
	};
	let child = await start();
	return {
		url: `postgres://deputize@127.0.0.1:${port}/postgres`,
		kill: () => stopProcess(child, "SIGKILL"),
		async restart() {
			child = await start();
		},
		async stop() {
			await stopProcess(child, "SIGINT");
			rmSync(directory, { recursive: true, force: true });
		},
	};
}

function findPrograms(): string {
	const versions = ((): string[] => {
		try {
			return readdirSync(VERSIONS).sort((left, right) => Number(right) - Number(left));
		} catch {
			return [];
		}
	})();
	const candidates = versions.map((version) => join(VERSIONS, version, "bin", "postgres"));
	return join(requireServer("postgresql", candidates), "..");
}

function chooseUser(): { readonly uid: number; readonly gid: number } | undefined {
	if (process.getuid?.() !== 0) return undefined;
	for (const name of ["postgres", "nobody"]) {
		try {
			const [uid, gid] = ["-u", "-g"].map((flag) =>
				Number(execFileSync("id", [flag, name], { encoding: "utf8", stdio: "pipe" })),
			);
			if (uid !== undefined && gid !== undefined) return { uid, gid };
		} catch {
			// No such user here.
		}
	}
	return undefined;
}
