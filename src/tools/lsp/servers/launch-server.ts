import type { Environment } from "../../../contract/environment.ts";
import type { Judge } from "../../../judge/create-judge.ts";
import { LspError } from "../lsp-error.ts";
import { createServerSynchronizer } from "../workspace/synchronize-server.ts";
import type { WorkspaceWatch } from "../workspace/watch-workspace.ts";
import { boxServer, type ServerCommand } from "./box-server.ts";
import { buildServerEnvironment } from "./build-server-environment.ts";
import { chooseSandbox, type SandboxChoice } from "./choose-sandbox.ts";
import { findServer, type ServerLaunch } from "./find-server.ts";
import { withoutWorkspacePath } from "./find-server-program.ts";
import { openPrivateDirectory, type PrivateDirectory } from "./open-private-directory.ts";
import { prepareClangd } from "./prepare-clangd.ts";
import type { ServerRequest, StartedServer } from "./server-slot.ts";

export interface LaunchOptions extends SandboxChoice {
	readonly env: Environment;
	readonly isTrusted: () => boolean;
	readonly judge: Judge;
}

const NO_DIRECTORY: PrivateDirectory = { path: "", release: async () => undefined };

/** From a request to a running server: find the program, prepare what it needs, put it in its box, start it. */
export async function launchServer(
	request: ServerRequest,
	watch: WorkspaceWatch,
	options: LaunchOptions,
): Promise<StartedServer> {
	const { definition, root, deadline } = request;
	const bwrap = await chooseSandbox(options);
	const launch = findLaunch(request, options, bwrap !== undefined);
	request.onProgress?.(`Starting the ${definition.id} language server`);
	deadline.extendTo(request.coldTimeoutMs);
	const firstLook = watch.refresh();
	const trust = options.isTrusted() ? "trusted" : "untrusted";
	const needsDirectory = bwrap !== undefined || definition.preparation === "clangd";
	const directory = needsDirectory
		? await openPrivateDirectory([definition.id, trust], root, options.env)
		: NO_DIRECTORY;
	try {
		const listFiles = () => firstLook.then(watch.files);
		const args = [
			...launch.args,
			...(await prepareArguments(launch, request, options, directory, listFiles)),
		];
		const command = buildCommand({ ...launch, args }, request, options, directory, bwrap);
		// The protocol is loaded with the first server: most questions meet a language that has none installed.
		const { startLanguageServer } = await import("./start-language-server.ts");
		const server = await startLanguageServer({ launch, root, command, deadline });
		await firstLook;
		const synchronizer = createServerSynchronizer(server, watch);
		return {
			server,
			synchronizer,
			close: async () => {
				synchronizer.close();
				await server.stop();
				await directory.release();
			},
		};
	} catch (error) {
		await directory.release();
		if (!(error instanceof LspError && error.code === "LSP_TIMEOUT")) throw error;
		throw new LspError("LSP_TIMEOUT", `The ${definition.id} language server did not start: ${error.message}`);
	}
}

function findLaunch(request: ServerRequest, options: LaunchOptions, isBoxed: boolean): ServerLaunch {
	const search = findServer(request.definition, {
		env: options.env,
		workspace: request.workspace,
		root: request.root,
		trusted: options.isTrusted(),
		isBoxed,
	});
	if (search.kind === "missing") throw new LspError("LSP_SERVER_NOT_FOUND", search.reason);
	return search.launch;
}

async function prepareArguments(
	launch: ServerLaunch,
	{ root }: ServerRequest,
	options: LaunchOptions,
	directory: PrivateDirectory,
	listFiles: () => Promise<readonly string[]>,
): Promise<readonly string[]> {
	if (launch.definition.preparation !== "clangd") return [];
	const args = await prepareClangd(root, directory.path, listFiles);
	return options.isTrusted() ? args : [...args, "--enable-config=false"];
}

function buildCommand(
	launch: ServerLaunch,
	{ root, workspace }: ServerRequest,
	options: LaunchOptions,
	directory: PrivateDirectory,
	bwrap: string | undefined,
): ServerCommand {
	const isTrusted = options.isTrusted();
	const found = isTrusted ? options.env : withoutWorkspacePath({ env: options.env, workspace });
	const env = buildServerEnvironment(found, isTrusted);
	if (bwrap === undefined) return { command: launch.command, args: launch.args, env, isBoxed: false };
	const { judge } = options;
	return boxServer(launch, { bwrap, root, workspace, judge, env, privateDirectory: directory.path });
}
