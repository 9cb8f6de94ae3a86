import { join } from "node:path";
import { defined, type Environment, openOnce } from "@deputize/ground";
import type { ConvertConfig, LspConfig, WebConfig } from "../contract/config.ts";
import type { FileRules } from "../contract/file-rules.ts";
import type { HostNeutralTool, MissingTool } from "../contract/tool.ts";
import { createJudge } from "../judge/create-judge.ts";
import type { Workspace } from "../sandbox/workspace.ts";
import type { DownloadDocument } from "../tools/convert/download-document.ts";
import type { FileToolOptions } from "../tools/files/file-tool-options.ts";
import type { WritePlace } from "../tools/files/write-place.ts";
import type { LspToolOptions } from "../tools/lsp/create-lsp-tool.ts";
import type { ConvertDocument } from "../tools/web/pages/fetched-document.ts";

interface ToolConfig {
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
		| "mode"
		| "allowedActions"
		| "projectTrusted"
		| "socketPath"
		| "socketToken"
		| "applyEdits"
		| "probe"
		| "needsBox"
	>;
	/** Where this process may write, when it works in a layer. */
	readonly workspace?: Workspace | undefined;
}

export type ToolParts = ReturnType<typeof createToolParts>;

/** What several tools share, each made when the first of them is opened. */
export function createToolParts(place: ToolPlace) {
	const { env, home, agentDirectory } = place;
	const judge = createJudge({ ...place, ...place.files });
	const describeWeb = () => {
		const { web, convert } = place.config();
		const convertDocument = convert.enabled ? convertFetchedDocument(convert, place) : undefined;
		return defined({ config: web, env, home, files: { agentDirectory, ...place.files }, convertDocument });
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
	return {
		env,
		agentDirectory,
		files: (): FileToolOptions => ({ judge, env }),
		/** The tree that is searched by index. */
		tree: () => ({ judge, cwd: place.cwd, agentDirectory }),
		writePlace: (): WritePlace | MissingTool =>
			place.workspace === undefined
				? { missing: "It exists only for an agent that works in a layer." }
				: { judge, root: place.workspace.root },
		commands: () => ({
			workspace: place.workspace,
			env,
			temporaryDirectory: () => join(place.temporaryDirectory(), "commands"),
		}),
		web: async (name: string) => pickTool(await openWeb(), name),
		execWeb: async (name: string) => pickTool(await openExecWeb(), name),
		lsp: openOnce(async () => {
			const { createLspTool } = await import("../tools/lsp/create-lsp-tool.ts");
			return createLspTool({ config: place.config().lsp, env, judge, ...place.lsp });
		}),
		async convert(): Promise<HostNeutralTool> {
			const { createConvertTool } = await import("../tools/convert/create-convert-tool.ts");
			const { convert } = place.config();
			return createConvertTool({
				config: convert,
				judge,
				env,
				agentDirectory,
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

/** Hands documents that were fetched from the web to the converter. */
function convertFetchedDocument(
	{ timeoutMs, maxInputBytes, maxMemoryMb }: ConvertConfig,
	{ agentDirectory, temporaryDirectory }: ToolPlace,
): ConvertDocument {
	return async (bytes, hint, signal) => {
		const { convertDocument } = await import("../tools/convert/convert-document.ts");
		const limits = { timeoutMs, maxInputBytes, maxMemoryMb, signal };
		return convertDocument(bytes, hint, {
			...limits,
			agentDirectory,
			workingDirectory: temporaryDirectory(),
		});
	};
}

/** Downloads for the converter, through the client that refuses private addresses. */
function createGuardedDownload(allowPrivateNetwork: boolean): DownloadDocument {
	return async (url, limits) => {
		const { createSafeClient } = await import("../tools/web/safe-fetch.ts");
		const client = createSafeClient({ allowPrivateNetwork });
		try {
			const answer = await client.fetchBytes(url, limits);
			return answer.ok ? { ok: true, bytes: answer.bytes, contentType: answer.contentType } : answer;
		} finally {
			await client.close();
		}
	};
}
