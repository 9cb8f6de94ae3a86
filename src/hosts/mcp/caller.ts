import { asObject, asText, isObject, type JsonObject } from "@deputize/ground";
import { RPC_ERRORS, RpcError } from "./rpc.ts";

/** Spoken without a handshake: each request names it. */
const MODERN_VERSION = "2026-07-28";
/** Agreed on in `initialize`, newest first. */
const LEGACY_VERSIONS = ["2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"] as const;

export const SUPPORTED_VERSIONS: readonly string[] = [MODERN_VERSION, ...LEGACY_VERSIONS];

const META = "io.modelcontextprotocol/";

/** Who sends a request, and what it can be asked. */
export interface Caller {
	readonly isModern: boolean;
	/** What the client calls itself; empty when it does not say. */
	readonly name: string;
	/** A person can be shown a form. */
	readonly canElicit: boolean;
	readonly hasRoots: boolean;
}

export const UNKNOWN_CALLER: Caller = { isModern: false, name: "", canElicit: false, hasRoots: false };

/** The version for the answer to `initialize`: the one that was asked for, or our newest with a handshake. */
export function chooseVersion(requested: unknown): string {
	return LEGACY_VERSIONS.find((version) => version === requested) ?? LEGACY_VERSIONS[0];
}

/** The client of a handshake. */
export function parseHandshake(params: JsonObject): Caller {
	return toCaller(false, params["clientInfo"], params["capabilities"]);
}

/** Undefined for a request of the handshake era. Refuses a version that is not spoken here. */
export function parseModernCaller(params: JsonObject): Caller | undefined {
	const meta = asObject(params["_meta"]);
	const version = meta[`${META}protocolVersion`];
	if (version === undefined) return undefined;
	if (version !== MODERN_VERSION) {
		throw new RpcError(RPC_ERRORS.unsupportedProtocolVersion, "Unsupported protocol version", {
			supported: SUPPORTED_VERSIONS,
			requested: version,
		});
	}
	return toCaller(true, meta[`${META}clientInfo`], meta[`${META}clientCapabilities`]);
}

function toCaller(isModern: boolean, info: unknown, declared: unknown): Caller {
	const capabilities = asObject(declared);
	const { elicitation } = capabilities;
	return {
		isModern,
		name: asText(asObject(info)["name"]),
		// Before 2025-11-25 there was one kind of elicitation, the form, and nothing to declare about it.
		canElicit:
			isObject(elicitation) && (isObject(elicitation["form"]) || Object.keys(elicitation).length === 0),
		hasRoots: isObject(capabilities["roots"]),
	};
}

/** A result in the words of the caller's era. */
export function toEra(result: JsonObject, { isModern }: Pick<Caller, "isModern">): JsonObject {
	return isModern ? { resultType: "complete", ...result } : result;
}

/** The same for what a client may keep: agents change with files, so not for long. */
export function toCachedEra(result: JsonObject, caller: Pick<Caller, "isModern">): JsonObject {
	return caller.isModern ? { ...toEra(result, caller), ttlMs: LIST_TTL_MS, cacheScope: "private" } : result;
}

const LIST_TTL_MS = 60_000;

export const SERVER_INFO_KEY = `${META}serverInfo`;
