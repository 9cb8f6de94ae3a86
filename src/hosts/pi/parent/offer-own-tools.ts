import { openOnce } from "@deputize/ground";
import type { ExtensionAPI } from "@earendil-works/pi-coding-agent";
import type { TSchema } from "typebox";
import { listAgentTools } from "../../../toolbox/tool-rows.ts";
import type { LspTool } from "../../../tools/lsp/create-lsp-tool.ts";
import type { ParentContext } from "./parent-context.ts";

export const TOOL_LOADER = "load_tools";

interface OfferedTools {
	/** The language tool, which children share; undefined when it is switched off. */
	openLsp(): Promise<LspTool | undefined>;
}

/**
 * The web, document and language tools of the main agent. Their definitions would cost every request about
 * 5 KB, so the model sees one small tool that brings those it needs, unless `subagents.mainTools` is `always`. Tools
 * that are named on pi's command line are there from the start.
 */
export function offerOwnTools(pi: ExtensionAPI, options: ParentContext): OfferedTools {
	const { config } = options;
	const names = (["web", "convert", "lsp"] as const).flatMap((kind) =>
		config[kind].enabled ? listAgentTools(kind) : [],
	);
	const open = openOnce(async () => (await import("./open-own-tools.ts")).openOwnTools(pi, options));
	const activate = async (wanted: readonly string[]): Promise<void> => (await open()).activate(wanted);
	const areAlwaysThere = config.subagents.mainTools === "always";
	if (names.length > 0 && !areAlwaysThere) registerLoader(pi, names, activate);
	pi.on("session_start", async () => {
		const wanted = areAlwaysThere ? names : listNamedTools(process.argv);
		const named = wanted.filter((name) => names.some((known) => known === name));
		if (named.length > 0) await activate(named);
		if (config.lsp.enabled && config.lsp.hook !== "off") await open();
	});
	pi.on("session_shutdown", async () => (await open.opened())?.close());
	return { openLsp: async () => (config.lsp.enabled ? (await open()).lsp : undefined) };
}

function registerLoader(
	pi: ExtensionAPI,
	names: readonly string[],
	activate: (wanted: readonly string[]) => Promise<void>,
): void {
	pi.registerTool({
		name: TOOL_LOADER,
		label: "Load tools",
		description: "Activate more tools for yourself.",
		parameters: {
			type: "object",
			properties: { names: { type: "array", items: { type: "string", enum: names }, minItems: 1 } },
			required: ["names"],
			additionalProperties: false,
		} as unknown as TSchema,
		async execute(_toolCallId, params) {
			const wanted = (params as { names: readonly string[] }).names.filter((name) => names.includes(name));
			await activate(wanted);
			return { content: [{ type: "text", text: `Active now: ${wanted.join(", ")}.` }], details: {} };
		},
	});
}

/** What `--tools` on pi's own command line named. */
export function listNamedTools(argv: readonly string[]): readonly string[] {
	const at = argv.findIndex((argument) => argument === "--tools" || argument === "-t");
	return at === -1 ? [] : (argv[at + 1] ?? "").split(",").map((name) => name.trim().replace(/^\+/, ""));
}
