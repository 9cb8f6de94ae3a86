import { sleep } from "@deputize/ground";
import type { ExtensionAPI } from "@earendil-works/pi-coding-agent";
import { isMcpTool } from "../../../contract/tool.ts";
import type { ChildGrant } from "../../../runtimes/child-grant.ts";

const POLL_MS = 50;
/** As long as pi itself waits for servers whose tools it declares. */
const PATIENCE_MS = 10_000;

/**
 * pi connects MCP servers in the background and leaves their tools to scripts and a search that a child does not have.
 * Granted ones are declared to the model before its first turn; a server that does not come is missing, and the run
 * goes on without it.
 */
export function activateMcpTools(pi: ExtensionAPI, grant: ChildGrant): void {
	const wanted = grant.tools.filter(isMcpTool);
	if (wanted.length === 0) return;
	const listMissing = (): readonly string[] => {
		const known = new Set(pi.getAllTools().map(({ name }) => name));
		return wanted.filter((name) => !known.has(name));
	};
	pi.on("before_agent_start", async () => {
		const until = performance.now() + PATIENCE_MS;
		while (listMissing().length > 0 && performance.now() < until) await sleep(POLL_MS);
		const missing = listMissing();
		const connected = wanted.filter((name) => !missing.includes(name));
		pi.setActiveTools([...new Set([...pi.getActiveTools(), ...connected])]);
	});
}
