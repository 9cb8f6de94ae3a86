import type { LookupFunction, Socket } from "node:net";
import { buildConnector } from "undici";
import { WebError } from "../web-error.ts";
import { findAddressObjection, isIpLiteral, stripBrackets } from "./check-address.ts";
import { findHostnameObjection } from "./check-hostname.ts";

interface ResolvedAddress {
	readonly address: string;
	readonly family: 4 | 6;
}

export type ResolveHostname = (hostname: string) => Promise<readonly ResolvedAddress[]>;

interface ConnectorOptions {
	readonly resolve: ResolveHostname;
	readonly connectTimeoutMs: number;
	/** Whether the user's own configuration allows a private address for this host and port. */
	readonly isTrusted: (hostname: string, port: string, protocol: string) => boolean;
}

type Connector = ReturnType<typeof buildConnector>;
type ConnectOptions = Parameters<Connector>[0];

/**
 * Opens sockets for undici and refuses private addresses at the moment of connecting. The addresses that were
 * checked are the ones connected to, so a name that answers differently the second time gains nothing; a literal
 * address never reaches a lookup and is therefore checked by itself; and the address of the open socket is
 * checked once more before a byte of the request is written.
 */
export function createGuardedConnector(options: ConnectorOptions): Connector {
	const build = (lookup: LookupFunction): Connector =>
		buildConnector({ timeout: options.connectTimeoutMs, lookup } as Parameters<typeof buildConnector>[0]);
	const trusted = build(toLookup(options.resolve, () => undefined));
	const guarded = build(toLookup(options.resolve, findUnsafeAnswer));

	return (target, callback) => {
		const hostname = stripBrackets(target.hostname);
		if (options.isTrusted(hostname, portOf(target), target.protocol)) {
			trusted(target, callback);
			return;
		}
		const objection = isIpLiteral(hostname)
			? findAddressObjection(hostname)
			: findHostnameObjection(hostname);
		if (objection !== undefined) {
			callback(blocked(hostname, objection), null);
			return;
		}
		guarded(target, (...result) => {
			const [error, socket] = result;
			if (error) callback(error, null);
			else checkSocket(hostname, socket, callback);
		});
	};
}

function checkSocket(hostname: string, socket: Socket, callback: Parameters<Connector>[1]): void {
	const address = socket.remoteAddress ?? "";
	const objection = findAddressObjection(address);
	if (objection === undefined) {
		callback(null, socket);
		return;
	}
	socket.destroy();
	callback(blocked(hostname, `connected to ${address}, ${objection}`), null);
}

function toLookup(resolve: ResolveHostname, refuse: typeof findUnsafeAnswer): LookupFunction {
	return (hostname, lookupOptions, callback) => {
		resolve(hostname).then(
			(addresses) => {
				const failure = refuse(hostname, addresses);
				const first = addresses[0];
				if (failure) callback(failure, "", 0);
				else if (!first) callback(new WebError("NETWORK_ERROR", `${hostname} has no address.`), "", 0);
				else if (lookupOptions.all) callback(null, [...addresses], 0);
				else callback(null, first.address, first.family);
			},
			(error: unknown) => callback(error instanceof Error ? error : new Error(String(error)), "", 0),
		);
	};
}

/** One private address among public ones is enough to refuse: which of them is dialed is not ours to choose. */
function findUnsafeAnswer(hostname: string, addresses: readonly ResolvedAddress[]): WebError | undefined {
	for (const { address } of addresses) {
		const objection = findAddressObjection(address);
		if (objection !== undefined) return blocked(hostname, `resolves to ${address}, ${objection}`);
	}
	return undefined;
}

function blocked(hostname: string, reason: string): WebError {
	return new WebError(
		"PRIVATE_NETWORK_BLOCKED",
		`${hostname} was not contacted: ${reason}. Addresses of private networks are refused; a user who needs them sets web.allowPrivateNetwork.`,
	);
}

function portOf(target: ConnectOptions): string {
	return target.port || (target.protocol === "https:" ? "443" : "80");
}
