import type { DeputizeConfig } from "../../../contract/config.ts";
import type { HostNeutralTool } from "../../../contract/tool.ts";
import type { JournalKind } from "../../../journal/journal-record.ts";
import type { LspTool, LspToolOptions } from "../../../tools/lsp/create-lsp-tool.ts";
import { convertFetchedDocument } from "./convert-fetched-document.ts";
import { createGuardedDownload } from "./create-guarded-download.ts";
import { OWN_TOOLS_BY_KIND } from "./own-tool-names.ts";
import { recordToolCall } from "./record-tool-call.ts";

export interface OwnToolsOptions {
	readonly config: DeputizeConfig;
	readonly env: Readonly<Record<string, string | undefined>>;
	readonly home: string;
	readonly agentDirectory: string;
	/** Asked for at the first call that stores something: in a parent the session is not known before. */
	readonly storeDirectory: () => string;
	/** Where the stores of other sessions are too. */
	readonly storesRoot?: string;
	readonly temporaryDirectory: string;
	readonly lsp: Pick<
		LspToolOptions,
		"mode" | "allowedActions" | "projectTrusted" | "socketPath" | "socketToken" | "applyEdits"
	>;
}

export interface OwnTools {
	readonly tools: readonly HostNeutralTool[];
	/** Absent when switched off. */
	readonly lsp?: LspTool;
}

/**
 * Those of the web, document and language tools that are wanted and switched on. Only their descriptions are
 * loaded here, and those of one kind only when one of that kind is wanted; nothing is started.
 */
export async function createOwnTools(wanted: readonly string[], options: OwnToolsOptions): Promise<OwnTools> {
	const { config } = options;
	const wants = (kind: keyof typeof OWN_TOOLS_BY_KIND): boolean =>
		config[kind].enabled && OWN_TOOLS_BY_KIND[kind].some((name) => wanted.includes(name));
	const [web, convert, lsp] = await Promise.all([
		wants("web") ? openWebTools(options) : [],
		wants("convert") ? openConvertTool(options) : undefined,
		wants("lsp") ? openLspTool(options) : undefined,
	]);
	const tools = [...web, ...(convert ? [convert] : []), ...(lsp ? [lsp] : [])];
	return { tools: tools.filter(({ name }) => wanted.includes(name)), ...(lsp ? { lsp } : {}) };
}

async function openLspTool(options: OwnToolsOptions): Promise<LspTool> {
	const { createLspTool } = await import("../../../tools/lsp/create-lsp-tool.ts");
	const { config, env, lsp } = options;
	return createLspTool({ config: config.lsp, env, ...lsp });
}

async function openWebTools(options: OwnToolsOptions): Promise<readonly HostNeutralTool[]> {
	const { createWebTools } = await import("../../../tools/web/create-web-tools.ts");
	const { config, env, home } = options;
	return createWebTools({
		config: config.web,
		env,
		home,
		get storeDirectory() {
			return options.storeDirectory();
		},
		...(options.storesRoot ? { storesRoot: options.storesRoot } : {}),
		...(config.convert.enabled
			? { convertDocument: convertFetchedDocument(config.convert, options.temporaryDirectory) }
			: {}),
		onCall: recorder("web", options),
	});
}

async function openConvertTool(options: OwnToolsOptions): Promise<HostNeutralTool> {
	const { createConvertTool } = await import("../../../tools/convert/create-convert-tool.ts");
	const { config, env, temporaryDirectory } = options;
	return createConvertTool({
		config: config.convert,
		env,
		temporaryDirectory,
		download: createGuardedDownload(config.convert.allowPrivateNetwork),
		onCall: recorder("convert", options),
	});
}

/** The parent notes the calls of its children itself: a confined child cannot write to the journal. */
function recorder(kind: JournalKind, { env, home, agentDirectory, lsp }: OwnToolsOptions) {
	if (lsp.mode === "child") return () => undefined;
	return (call: Parameters<typeof recordToolCall>[1]): void =>
		void recordToolCall(kind, call, { env, home, agentDirectory });
}
