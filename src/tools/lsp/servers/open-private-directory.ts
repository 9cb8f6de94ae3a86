import { mkdir, readdir, rm, stat, utimes } from "node:fs/promises";
import { join } from "node:path";
import {
	type Environment,
	findForeignDirectory,
	fingerprint,
	isInside,
	makePrivateDirectory,
	RefusedPathError,
} from "@deputize/ground";
import { LSP_LIMITS } from "../lsp-limits.ts";

const DAY_MS = 86_400_000;

/** Where one server keeps what it wants to find again: indexes, caches, temporary files. */
export interface PrivateDirectory {
	readonly path: string;
	/** Removes it, unless it is kept for the next start. */
	readonly release: () => Promise<void>;
}

/**
 * A directory for one kind of server, project and trust, outside the project. A kept index makes the next start ten
 * times faster; where nothing can be kept, a temporary one does. Directories nobody used for long are removed.
 */
export async function openPrivateDirectory(
	owner: readonly string[],
	root: string,
	env: Environment,
): Promise<PrivateDirectory> {
	const home = env["HOME"] === "" ? undefined : env["HOME"];
	const cache = env["XDG_CACHE_HOME"] || (home === undefined ? undefined : join(home, ".cache"));
	if (cache !== undefined && !isInside(root, cache)) {
		try {
			const parent = join(cache, "deputize", "servers");
			const name = fingerprint([root, ...owner].join("\0"), 16);
			const path = join(parent, name);
			await mkdir(path, { recursive: true, mode: 0o700 });
			// What a server finds there it takes for its own work of yesterday.
			const foreign = findForeignDirectory(cache, path);
			if (foreign !== undefined) throw new RefusedPathError(`${foreign} is somebody else's.`);
			const now = new Date();
			await utimes(path, now, now);
			await removeUnused(parent);
			return { path, release: async () => undefined };
		} catch {
			// A read-only home, or a cache that others can write to: go on with a temporary directory.
		}
	}
	const path = makePrivateDirectory("deputize-server-");
	return { path, release: () => rm(path, { recursive: true, force: true }) };
}

async function removeUnused(parent: string): Promise<void> {
	const oldest = Date.now() - LSP_LIMITS.indexMaxAgeDays * DAY_MS;
	for (const name of await readdir(parent)) {
		const directory = join(parent, name);
		const used = await stat(directory).catch(() => undefined);
		if (used !== undefined && used.mtimeMs < oldest) await rm(directory, { recursive: true, force: true });
	}
}
