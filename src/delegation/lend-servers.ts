import type { LspSocket } from "../contract/plan.ts";
import type { ChildDecisions } from "./decide-child.ts";
import type { DelegationContext } from "./delegation-context.ts";

export interface LentServers {
	/** Undefined when the child uses none of ours. */
	readonly socket: LspSocket | undefined;
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
	if (host.lspSocket !== undefined || granted.lspActions.length === 0)
		return { socket: host.lspSocket, close: nothing };
	const { shareProjectServers } = await import("./share-project-servers.ts");
	const shared = shareProjectServers(options);
	return { socket: await shared?.open(), close: async () => shared?.close() };
}
