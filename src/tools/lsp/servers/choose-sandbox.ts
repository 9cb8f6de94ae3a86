import type { LspConfig } from "../../../contract/config.ts";
import type { Sandbox, SandboxProbe } from "../../../sandbox/sandbox-probe.ts";
import { LspError } from "../lsp-error.ts";

export interface SandboxChoice {
	readonly sandbox: LspConfig["sandbox"];
	/** Whether a sandbox works here; the same answer every time. */
	readonly probe: () => Promise<SandboxProbe>;
	/** This process is in a sandbox itself, where a server without a box would see its key, its files and its network. */
	readonly needsBox?: boolean | undefined;
}

/** What servers run in; undefined when they run without. */
export async function chooseSandbox({
	sandbox,
	probe,
	needsBox = false,
}: SandboxChoice): Promise<Sandbox | undefined> {
	const found: SandboxProbe =
		sandbox === "off" ? { works: false, reason: 'lsp.sandbox is "off".' } : await probe();
	if (found.works) return found.sandbox;
	if (needsBox) {
		throw new LspError(
			"LSP_SERVER_FAILED",
			`A subagent in a sandbox starts no language server without a box of its own, and uses its parent's only with "lsp.shareWithChildren". ${found.reason} Nothing was started.`,
		);
	}
	if (sandbox !== "required") return undefined;
	throw new LspError(
		"LSP_SERVER_FAILED",
		`lsp.sandbox is "required" and no sandbox works here: ${found.reason} Nothing was started.`,
	);
}
