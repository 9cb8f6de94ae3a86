import { lstatSync, readFileSync } from "node:fs";
import { canonicalPath } from "@deputize/ground";

/** Needed to resolve the names of hosts and users, and so to reach the model. */
const RESOLVER_SOCKETS = [
	"/run/nscd/",
	"/var/run/nscd/",
	"/run/systemd/resolve/",
	"/run/systemd/userdb/",
	"/var/lib/sss/",
];
/** Language servers that a process of ours shares: they want a token, and go away with the process. */
const OWN_SOCKET = /\/(?:lsp-\d+-|deputize-lsp-)\w+\/lsp\.sock$/;
/** A younger socket may disappear before it can be covered, and then nothing would start. */
const MIN_AGE_MS = 60_000;
const MAX_SOCKETS = 200;

/**
 * Sockets in the file system on which a program listens: key agents, terminals, editors, services. Whoever may connect
 * can make such a program act outside a sandbox, so they are covered inside it. None without /proc.
 */
export function listOpenSockets(now = Date.now()): readonly string[] {
	const old = parseSocketPaths(readSocketTable()).filter((path) => isOldSocket(path, now));
	// Their real places: below a link, such as /var/run, nothing can be covered.
	return [...new Set(old.map(canonicalPath))]
		.filter((path) => !RESOLVER_SOCKETS.some((directory) => path.startsWith(directory)))
		.filter((path) => !OWN_SOCKET.test(path))
		.slice(0, MAX_SOCKETS);
}

/** The last column of the kernel's table: absolute paths only, each once; `@` begins the name of an abstract socket. */
export function parseSocketPaths(table: string): readonly string[] {
	const paths = table.split("\n").map((row) => /^(?:\S+\s+){7}(\/.*)$/.exec(row.trimStart())?.[1]);
	return [...new Set(paths.filter((path) => path !== undefined))];
}

function readSocketTable(): string {
	try {
		return readFileSync("/proc/net/unix", "utf8");
	} catch {
		return "";
	}
}

function isOldSocket(path: string, now: number): boolean {
	try {
		const entry = lstatSync(path);
		return entry.isSocket() && now - entry.ctimeMs > MIN_AGE_MS;
	} catch {
		// It belongs to another file system, that of a container, or to a directory that is closed to us.
		return false;
	}
}
