import type { LspConfig } from "../../../contract/config.ts";
import type { SandboxProbe } from "../../../contract/sandbox-probe.ts";
import { LspError } from "../lsp-error.ts";

export interface SandboxChoice {
	readonly sandbox: LspConfig["sandbox"];
	/** Whether bubblewrap works here; the same answer every time. */
	readonly probe: () => Promise<SandboxProbe>;
}

/** Path of bubblewrap when servers run in it; undefined when they run without. */
export async function chooseSandbox({ sandbox, probe }: SandboxChoice): Promise<string | undefined> {
	if (sandbox === "off") return undefined;
	const { works, bwrap, reason } = await probe();
	if (works && bwrap !== undefined) return bwrap;
	if (sandbox === "auto") return undefined;
	throw new LspError(
		"LSP_SERVER_FAILED",
		`lsp.sandbox is "required" and no sandbox works here: ${reason} Nothing was started.`,
	);
}
