import { lstat, readdir, rm } from "node:fs/promises";
import { join } from "node:path";

const DAY_MS = 24 * 60 * 60 * 1000;
const LIMITS = {
	maxAgeMs: 30 * DAY_MS,
	maxStores: 50,
	maxTotalBytes: 512 * 1024 * 1024,
};

interface Store {
	readonly path: string;
	readonly changedAt: number;
	readonly bytes: number;
}

/**
 * Removes stores of other sessions: those nobody wrote to for a month, and the oldest beyond a number and a
 * size. Each session bounds its own store; nothing else would ever remove the stores of sessions that are over.
 * Never throws: what cannot be removed now is met again next time. Returns how many were removed.
 */
export async function sweepStores(
	root: string,
	options: { readonly keep: string; readonly now?: number; readonly limits?: Partial<typeof LIMITS> },
): Promise<number> {
	const limits = { ...LIMITS, ...options.limits };
	const oldest = (options.now ?? Date.now()) - limits.maxAgeMs;
	const stores = (await listStores(root)).sort((left, right) => right.changedAt - left.changedAt);
	let bytes = 0;
	let removed = 0;
	for (const [index, store] of stores.entries()) {
		bytes += store.bytes;
		const fits = index < limits.maxStores && bytes <= limits.maxTotalBytes && store.changedAt >= oldest;
		if (fits || store.path === options.keep) continue;
		const isGone = await rm(store.path, { recursive: true, force: true }).then(
			() => true,
			() => false,
		);
		if (isGone) removed += 1;
	}
	return removed;
}

async function listStores(root: string): Promise<Store[]> {
	const entries = await readdir(root, { withFileTypes: true }).catch(() => []);
	const directories = entries.filter((entry) => entry.isDirectory()).map(({ name }) => join(root, name));
	return Promise.all(directories.map(measureStore));
}

async function measureStore(path: string): Promise<Store> {
	const names = await readdir(path).catch(() => []);
	const files = await Promise.all(
		[path, ...names.map((name) => join(path, name))].map((file) => lstat(file).catch(() => undefined)),
	);
	return {
		path,
		changedAt: Math.max(0, ...files.map((file) => file?.mtimeMs ?? 0)),
		bytes: files.reduce((sum, file) => sum + (file?.isFile() ? file.size : 0), 0),
	};
}
