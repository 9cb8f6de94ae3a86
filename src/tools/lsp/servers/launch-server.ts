import type { Environment } from "@deputize/ground";
import type { Judge } from "../../../judge/create-judge.ts";
import { LspError } from "../lsp-error.ts";
import { createServerSynchronizer } from "../workspace/synchronize-server.ts";
import type { WorkspaceWatch } from "../workspace/watch-workspace.ts";
import { boxServer } from "./box-server.ts";
import { buildServerEnvironment } from "./build-server-environment.ts";
import { chooseSandbox, type SandboxChoice } from "./choose-sandbox.ts";
import { findServer } from "./find-server.ts";
import { withoutWorkspacePath } from "./find-server-program.ts";
import { openPrivateDirectory, type PrivateDirectory } from "./open-private-directory.ts";
import { prepareClangd } from "./prepare-clangd.ts";
import type { ServerRequest, StartedServer } from "./server-slot.ts";

export interface LaunchOptions extends SandboxChoice {
	readonly env: Environment;
	readonly isTrusted: () => boolean;
	readonly judge: Judge;
	readonly maxMemoryMb: number;
}

const NO_DIRECTORY: PrivateDirectory = { path: "", release: async () => undefined };

/** From a request to a running server: find the program, prepare what it needs, put it in its box, start it. */
export async function launchServer(
	request: ServerRequest,
	watch: WorkspaceWatch,
	options: LaunchOptions,
): Promise<StartedServer> {
	const { definition, workspace, root, deadline } = request;
	const { judge, maxMemoryMb } = options;
	const sandbox = await chooseSandbox(options);
	const trusted = options.isTrusted();
	const place = { env: options.env, workspace, root, trusted, isBoxed: sandbox !== undefined };
	const search = findServer(definition, place);
	if (search.kind === "missing") throw new LspError("LSP_SERVER_NOT_FOUND", search.reason);
	request.onProgress?.(`Starting the ${definition.id} language server`);
	deadline.extendTo(request.coldTimeoutMs);
	const firstLook = watch.refresh();
	const isClangd = definition.preparation === "clangd";
	const owner = [definition.id, trusted ? "trusted" : "untrusted"];
	const directory =
		sandbox !== undefined || isClangd ? await openPrivateDirectory(owner, root, options.env) : NO_DIRECTORY;
	try {
		const privateDirectory = directory.path;
		const listFiles = () => firstLook.then(watch.files);
		const added = isClangd ? await prepareClangd(root, privateDirectory, listFiles) : [];
		const untrusted = isClangd && !trusted ? ["--enable-config=false"] : [];
		const launch = { ...search.launch, args: [...search.launch.args, ...added, ...untrusted] };
		const env = buildServerEnvironment(trusted ? options.env : withoutWorkspacePath(place), trusted);
		const command =
			sandbox === undefined
				? { ...launch, env, isBoxed: false }
				: boxServer(launch, { sandbox, root, workspace, judge, env, privateDirectory });
		// The protocol is loaded with the first server: most questions meet a language that has none installed.
		const { startLanguageServer } = await import("./start-language-server.ts");
		const server = await startLanguageServer({ launch, root, command, deadline, maxMemoryMb });
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
