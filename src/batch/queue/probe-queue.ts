import { codeOf, messageOf, onAbort } from "@deputize/ground";
import { loadPackage } from "../../parts/load-package.ts";
import type { LocatedPart } from "../../parts/locate-part.ts";
import { QUEUE_LIMITS } from "./queue-limits.ts";

interface QueueTrouble {
	/** What the server or the system said. */
	readonly reason: string;
	/** Only a person can change it; undefined when the server may just be away. */
	readonly remedy?: string;
}

/** Connects once and asks a question. Undefined when the server answers. */
export async function probeQueue(
	kind: "redis" | "postgres",
	address: string,
	part: LocatedPart,
	signal?: AbortSignal,
): Promise<QueueTrouble | undefined> {
	try {
		await (kind === "redis" ? askRedis(address, part, signal) : askPostgres(address, part, signal));
		return undefined;
	} catch (error) {
		return toTrouble(error);
	}
}

async function askRedis(address: string, part: LocatedPart, signal: AbortSignal | undefined): Promise<void> {
	const { Redis } = loadPackage<typeof import("ioredis")>(part, "ioredis");
	const connectTimeout = QUEUE_LIMITS.probeMs;
	const redis = new Redis(address, {
		...{ lazyConnect: true, connectTimeout, commandTimeout: connectTimeout },
		...{ maxRetriesPerRequest: 0, retryStrategy: () => null },
	});
	// It says why; what `connect` rejects with is only that it did not work.
	let reason: unknown;
	redis.on("error", (error) => {
		reason ??= error;
	});
	const forget = onAbort(signal, () => redis.disconnect());
	try {
		await redis.connect();
		await redis.ping();
	} catch (error) {
		throw reason ?? error;
	} finally {
		forget();
		redis.disconnect();
	}
}

async function askPostgres(
	address: string,
	part: LocatedPart,
	signal: AbortSignal | undefined,
): Promise<void> {
	const { Client } = loadPackage<typeof import("pg")>(part, "pg");
	const client = new Client({
		connectionString: address,
		connectionTimeoutMillis: QUEUE_LIMITS.probeMs,
		query_timeout: QUEUE_LIMITS.probeMs,
	});
	client.on("error", () => undefined);
	const end = (): void => void client.end().catch(() => undefined);
	const forget = onAbort(signal, end);
	try {
		await client.connect();
		await client.query("select 1");
	} finally {
		forget();
		end();
	}
}

const LOGIN =
	/WRONGPASS|NOAUTH|NOPERM|invalid (?:username-)?password|password authentication|no password supplied|pg_hba|SASL|28P01|28000/i;
const CERTIFICATE = /CERT|SELF_SIGNED|UNABLE_TO_|ERR_TLS|ERR_SSL|certificate/i;
const NO_DATABASE = "3D000";

function toTrouble(error: unknown): QueueTrouble {
	const code = codeOf(error) ?? "";
	// An error of several addresses has no words of its own.
	const reason = messageOf(error) || code || "no reason was given";
	if (LOGIN.test(`${code} ${reason}`)) return { reason, remedy: "Correct its user and password." };
	if (code === NO_DATABASE) return { reason, remedy: "Create the database, or name another one." };
	if (CERTIFICATE.test(`${code} ${reason}`))
		return {
			reason,
			remedy: "Name the file of the authority that signed its certificate in NODE_EXTRA_CA_CERTS.",
		};
	return { reason };
}
