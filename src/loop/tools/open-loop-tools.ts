import { rmSync } from "node:fs";
import { join } from "node:path";
import { defined, type Environment, makePrivateDirectory } from "@deputize/ground";
import { readSurroundings } from "../../config/read-surroundings.ts";
import type { LoopChildTools } from "../../contract/loop.ts";
import type { HostNeutralTool } from "../../contract/tool.ts";
import { createJudge } from "../../judge/create-judge.ts";
import { parseSandboxProbe } from "../../sandbox/sandbox-probe.ts";
import type { Workspace } from "../../sandbox/workspace.ts";
import { createToolbox, type ToolboxOptions } from "../../toolbox/create-toolbox.ts";
import type { LoopPayload } from "../parse-payload.ts";

interface LoopToolsContext {
	readonly env: Environment;
	readonly cwd: string;
}

/** The granted tools, and nothing else. A child of a delegation also gets its handover. */
export async function openLoopTools(
	payload: Pick<LoopPayload, "tools" | "child">,
	context: LoopToolsContext,
) {
	const directory = createLazyDirectory(payload.child?.tools?.run_directory);
	const place = {
		...readSurroundings(context.env),
		...(payload.child?.tools ? describePlace(payload.child.tools) : await readPlace(context)),
		...context,
	};
	const judge = createJudge({ ...place, ...place.files });
	const missing = new Map<string, string>();
	const toolbox = createToolbox({
		...place,
		onMissing: (name, why) => missing.set(name, why),
		storeDirectory: () => join(directory.path(), "web"),
		temporaryDirectory: directory.path,
	});
	return {
		tools: [...(await toolbox.open(payload.tools)), ...(await openHandover(payload.child))],
		/** Those that were granted and cannot be had here, with the reason. */
		missing,
		/** Which files may be read, for those who read without a tool. */
		judge,
		/** The user's own directory. */
		agentDirectory: place.agentDirectory,
		/** Ends what the tools started and removes what they stored. */
		async close(): Promise<void> {
			await toolbox.close();
			directory.remove();
		},
	};
}

export type LoopTools = Awaited<ReturnType<typeof openLoopTools>>;

async function openHandover(child: LoopPayload["child"]): Promise<readonly HostNeutralTool[]> {
	if (child === undefined) return [];
	const { createFinalizeTool } = await import("./create-finalize-tool.ts");
	return [await createFinalizeTool(child.finalize.output)];
}

type Place = Pick<ToolboxOptions, "agentDirectory" | "config" | "files" | "lsp" | "workspace">;

function describePlace(given: LoopChildTools): Place {
	const { web, convert, lsp, files } = given;
	const probe = parseSandboxProbe(given.sandbox_probe);
	return {
		agentDirectory: given.agent_directory,
		config: () => ({ web, convert, lsp }),
		files,
		// Our own parent wrote it.
		workspace: given.workspace as Workspace | undefined,
		lsp: defined({
			mode: "child" as const,
			allowedActions: given.lsp_actions,
			projectTrusted: given.project_trusted,
			socketPath: given.lsp_socket?.path,
			socketToken: given.lsp_socket?.token,
			probe: probe && (() => Promise.resolve(probe)),
			needsBox: given.confined,
		}),
	};
}

/** Which search service to use and which files are closed is the user's choice, also when no runtime passes it on. */
async function readPlace({ env, cwd }: LoopToolsContext): Promise<Place> {
	const { loadConfig } = await import("../../config/load-config.ts");
	const { agentDirectory } = readSurroundings(env);
	const { config } = loadConfig({ cwd, agentDirectory, projectTrusted: false });
	return {
		agentDirectory,
		config: () => config,
		files: config.subagents,
		lsp: { mode: "child", allowedActions: config.subagents.allowedLspActions, projectTrusted: false },
	};
}

function createLazyDirectory(given: string | undefined): { path(): string; remove(): void } {
	let own: string | undefined;
	return {
		path() {
			if (given !== undefined) return given;
			own ??= makePrivateDirectory("deputize-exec-");
			return own;
		},
		remove() {
			if (own !== undefined) rmSync(own, { recursive: true, force: true });
		},
	};
}
