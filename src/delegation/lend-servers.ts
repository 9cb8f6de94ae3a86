import { defined } from "@deputize/ground";
import type { ChildDecisions } from "./decide-child.ts";
import type { DelegationHost } from "./delegate-options.ts";
import type { DelegationContext } from "./delegation-context.ts";

export interface LentServers {
	/** With the socket of the servers, if the child may ask any. */
	readonly host: DelegationHost;
	close(): Promise<void>;
}

/**
 * The language servers a child asks: those its door shares, or else ones for this run, which start with its first
 * question. Beside a child in a sandbox no server starts, because it would see the child's key and network.
 */
export async function lendServers(
	{ granted }: Pick<ChildDecisions, "granted">,
	{ host, options }: Pick<DelegationContext, "host" | "options">,
): Promise<LentServers> {
	const nothing = async (): Promise<void> => undefined;
	if (host.lspSocket !== undefined || granted.lspActions.length === 0) return { host, close: nothing };
	const { shareProjectServers } = await import("./share-project-servers.ts");
	const shared = shareProjectServers(options);
	const lspSocket = await shared?.open();
	return { host: { ...host, ...defined({ lspSocket }) }, close: async () => shared?.close() };
}
