import type { HostNeutralTool } from "../contract/tool.ts";
import type { LspTool } from "../tools/lsp/create-lsp-tool.ts";
import { type FinishedCall, runTool } from "./run-tool.ts";
import { createToolParts, type ToolPlace } from "./tool-parts.ts";
import { isToolName, TOOL_ROWS, type ToolKind } from "./tool-rows.ts";

export interface ToolboxOptions extends ToolPlace {
	/** Called for every finished call. A child has none: its parent records the calls from its events. */
	readonly onCall?: (call: FinishedCall) => void;
	/** Called for a tool that was named and cannot be had on this machine, with what to do about it. */
	readonly onMissing?: (name: string, why: string) => void;
}

export function createToolbox(options: ToolboxOptions) {
	const parts = createToolParts(options);
	return {
		/** Those of the named tools that exist and are switched on, in that order. Nothing is started. */
		async open(names: readonly string[]): Promise<readonly HostNeutralTool[]> {
			const opened = names.filter(isToolName).map(async (name) => {
				const row = TOOL_ROWS[name];
				if (row.contract === "agent" && !isSwitchedOn(row.kind, options)) return [];
				const tool = await row.open(parts);
				if (!("missing" in tool)) return [runTool(tool, row.kind, options.onCall)];
				options.onMissing?.(name, tool.missing);
				return [];
			});
			return (await Promise.all(opened)).flat();
		},
		/** The language tool itself, for those who share its servers; undefined when it is switched off. */
		lsp: async (): Promise<LspTool | undefined> => (options.config().lsp.enabled ? parts.lsp() : undefined),
		/** Ends what the tools started. */
		close: async (): Promise<void> => (await parts.lsp.opened())?.close(),
	};
}

/** The tools of one process: pi's parent, pi's child, the loop or another door. */
export type Toolbox = ReturnType<typeof createToolbox>;

/** `exec` grants by name, whatever a configuration for agents says. */
function isSwitchedOn(kind: ToolKind, { config }: ToolPlace): boolean {
	return kind === "web" || kind === "convert" || kind === "lsp" ? config()[kind].enabled : true;
}
