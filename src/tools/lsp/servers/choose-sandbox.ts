import type { LspConfig } from "../../../contract/config.ts";
import type { Sandbox, SandboxProbe } from "../../../sandbox/sandbox-probe.ts";
import { LspError } from "../lsp-error.ts";

export interface SandboxChoice {
	readonly sandbox: LspConfig["sandbox"];
	/** Whether a sandbox works here; the same answer every time. */
	readonly probe: () => Promise<SandboxProbe>;
}

/** What servers run in; undefined when they run without. */
export async function chooseSandbox({ sandbox, probe }: SandboxChoice): Promise<Sandbox | undefined> {
	if (sandbox === "off") return undefined;
	const found = await probe();
	if (found.works) return found.sandbox;
	if (sandbox === "auto") return undefined;
	throw new LspError(
		"LSP_SERVER_FAILED",
		`lsp.sandbox is "required" and no sandbox works here: ${found.reason} Nothing was started.`,
	);
}
