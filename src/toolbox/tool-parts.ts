import type { ConvertConfig, LspConfig, WebConfig } from "../contract/config.ts";
import type { Environment } from "../contract/environment.ts";
import type { FileRules } from "../contract/file-rules.ts";
import type { HostNeutralTool } from "../contract/tool.ts";
import { defined } from "../json/defined.ts";
import { createJudge } from "../judge/create-judge.ts";
import type { FileToolOptions } from "../tools/files/file-tool-options.ts";
import type { LspTool, LspToolOptions } from "../tools/lsp/create-lsp-tool.ts";
import { openOnce } from "../waiting/open-once.ts";
import { convertFetchedDocument } from "./convert-fetched-document.ts";
import { createGuardedDownload } from "./create-guarded-download.ts";

export interface ToolConfig {
	readonly web: WebConfig;
	readonly convert: ConvertConfig;
	readonly lsp: LspConfig;
}

export interface ToolPlace {
	readonly cwd: string;
	readonly env: Environment;
	readonly home: string;
	readonly agentDirectory: string;
	/** Read when a tool that has settings is opened; the others do not wait for it. */
	readonly config: () => ToolConfig;
	readonly files?: FileRules;
	/** Called by the first tool that stores something: in a parent the session is not known earlier. */
	readonly storeDirectory: () => string;
	/** Where the stores of other sessions are too. */
	readonly storesRoot?: string;
	/** Must exist once this returns. */
	readonly temporaryDirectory: () => string;
	readonly lsp: Pick<
		LspToolOptions,
		"mode" | "allowedActions" | "projectTrusted" | "socketPath" | "socketToken" | "applyEdits" | "probe"
	>;
}

/** What several tools share, each made when the first of them is opened. */
export interface ToolParts {
	readonly env: ToolPlace["env"];
	readonly agentDirectory: ToolPlace["agentDirectory"];
	files(): FileToolOptions;
	/** The tree that is searched by index. */
	tree(): Pick<ToolPlace, "cwd" | "agentDirectory"> & Pick<FileToolOptions, "judge">;
	web(name: string): Promise<HostNeutralTool>;
	execWeb(name: string): Promise<HostNeutralTool>;
	convert(): Promise<HostNeutralTool>;
	lsp(): Promise<LspTool>;
}

export function createToolParts(place: ToolPlace): ToolParts {
	const { env, home } = place;
	const judge = createJudge({ ...place, ...place.files });
	const describeWeb = () => {
		const { web, convert } = place.config();
		const convertDocument = convert.enabled
			? convertFetchedDocument(convert, place.agentDirectory, place.temporaryDirectory)
			: undefined;
		return defined({ config: web, env, home, convertDocument });
	};
	const openWeb = openOnce(async () => {
		const { createWebTools } = await import("../tools/web/create-web-tools.ts");
		return createWebTools({
			...describeWeb(),
			...defined({ storesRoot: place.storesRoot }),
			get storeDirectory() {
				return place.storeDirectory();
			},
		});
	});
	const openExecWeb = openOnce(async () => {
		const { createLoopWebTools } = await import("../tools/web/create-web-tools.ts");
		return createLoopWebTools(describeWeb());
	});
	const openLsp = async (): Promise<LspTool> => {
		const { createLspTool } = await import("../tools/lsp/create-lsp-tool.ts");
		return createLspTool({ config: place.config().lsp, env, judge, ...place.lsp });
	};
	return {
		env,
		agentDirectory: place.agentDirectory,
		files: () => ({ judge, env }),
		tree: () => ({ judge, cwd: place.cwd, agentDirectory: place.agentDirectory }),
		web: async (name) => pickTool(await openWeb(), name),
		execWeb: async (name) => pickTool(await openExecWeb(), name),
		lsp: openLsp,
		async convert() {
			const { createConvertTool } = await import("../tools/convert/create-convert-tool.ts");
			const { convert } = place.config();
			return createConvertTool({
				config: convert,
				judge,
				env,
				agentDirectory: place.agentDirectory,
				get temporaryDirectory() {
					return place.temporaryDirectory();
				},
				download: createGuardedDownload(convert.allowPrivateNetwork),
			});
		},
	};
}

function pickTool(tools: readonly HostNeutralTool[], name: string): HostNeutralTool {
	const tool = tools.find((candidate) => candidate.name === name);
	if (tool === undefined) throw new Error(`The web tools do not include ${name}.`);
	return tool;
}
