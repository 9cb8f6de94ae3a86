import { loadPackage } from "../../parts/load-package.ts";
import type { LocatedPart } from "../../parts/locate-part.ts";

const CONNECT_TIMEOUT_MS = 10_000;

/** Debian's Redis keeps nothing on disk, and a cache that evicts would throw tasks away: both are worth a word. */
export async function readRedisDurability(address: string, part: LocatedPart): Promise<readonly string[]> {
	const { Redis } = loadPackage<typeof import("ioredis")>(part, "ioredis");
	const redis = new Redis(address, {
		lazyConnect: true,
		connectTimeout: CONNECT_TIMEOUT_MS,
		maxRetriesPerRequest: 1,
	});
	redis.on("error", () => undefined);
	try {
		await redis.connect();
		const facts = parseFacts(`${await redis.info("persistence")}\r\n${await redis.info("memory")}`);
		return [
			...(facts.get("aof_enabled") === "0"
				? [
						"Redis does not log to disk (appendonly no): what is queued is lost when it restarts, and runs again. Finished lines in the output are safe. Set: CONFIG SET appendonly yes",
					]
				: []),
			...((facts.get("maxmemory_policy") ?? "noeviction") === "noeviction"
				? []
				: [
						`Redis may throw tasks away when its memory is full (maxmemory-policy ${facts.get("maxmemory_policy")}). Set: CONFIG SET maxmemory-policy noeviction`,
					]),
		];
	} catch {
		// Not every Redis lets its clients ask; the queue itself says when it cannot be reached.
		return [];
	} finally {
		redis.disconnect();
	}
}

function parseFacts(info: string): ReadonlyMap<string, string> {
	return new Map(
		info.split(/\r?\n/).flatMap((line) => {
			const at = line.indexOf(":");
			return at === -1 ? [] : [[line.slice(0, at), line.slice(at + 1).trim()] as const];
		}),
	);
}
