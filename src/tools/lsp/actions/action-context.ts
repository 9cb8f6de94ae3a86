import { resolve } from "node:path";
import { canonicalPath, isInside, statIfThere } from "@deputize/ground";
import type { LspConfig } from "../../../contract/config.ts";
import type { Judge } from "../../../judge/create-judge.ts";
import { LspError } from "../lsp-error.ts";
import type { LspRequest } from "../parse-lsp-request.ts";
import type { ServerDescription } from "../servers/describe-servers.ts";
import { selectRoot, selectServersForFile } from "../servers/select-server.ts";
import type { ServerPool } from "../servers/server-pool.ts";
import type { PooledServer, ServerRequest } from "../servers/server-slot.ts";
import type { ServerDefinition } from "../servers/server-table.ts";
import { toFilePath } from "../workspace/file-uri.ts";
import type { OpenDocument } from "../workspace/open-documents.ts";
import type { SourceReader } from "../workspace/read-source.ts";
import type { FileEdit } from "../workspace/write-edits.ts";

/** Everything one call carries through its steps. */
export interface ActionContext extends Omit<ServerRequest, "definition" | "root"> {
	readonly request: LspRequest;
	readonly config: LspConfig;
	readonly definitions: readonly ServerDefinition[];
	readonly pool: ServerPool;
	readonly judge: Judge;
	readonly sources: SourceReader;
	readonly describeServers: () => Promise<readonly ServerDescription[]>;
	readonly applyEdits: (edits: readonly FileEdit[]) => Promise<void>;
}

/** What an action gives back; `text` is complete, `details` the same for programs. */
export interface ActionAnswer {
	readonly text: string;
	readonly details: Readonly<Record<string, unknown>>;
	readonly isError?: boolean;
}

/** A path from the caller, as the real path of a file inside the workspace. */
export function resolveFile(
	{ workspace, judge }: Pick<ActionContext, "workspace" | "judge">,
	file: string,
): string {
	const given = file.startsWith("file:") ? (toFilePath(file) ?? file) : file.replace(/^@/, "");
	const path = canonicalPath(resolve(workspace, given));
	const found = statIfThere(path);
	if (found === undefined) throw new LspError("INVALID_INPUT", `There is no file ${file} in ${workspace}.`);
	if (!isInside(workspace, path)) {
		throw new LspError(
			"INVALID_INPUT",
			`${file} is ${path}, outside the workspace ${workspace}. Only files inside the workspace can be asked about.`,
		);
	}
	const closed = judge.explain(path);
	if (closed !== undefined) throw new LspError("INVALID_INPUT", `${file} may not be read: ${closed}`);
	if (!found.isFile()) throw new LspError("INVALID_INPUT", `${file} is not a regular file.`);
	return path;
}

export function needFile(context: ActionContext): string {
	const { file, action } = context.request;
	if (file === undefined) throw new LspError("INVALID_INPUT", `${action} needs file.`);
	return resolveFile(context, file);
}

/** Asks the first installed server that knows the file, with everything it knows up to date. */
export async function withFile<Value>(
	context: ActionContext,
	path: string,
	work: (pooled: PooledServer, document: OpenDocument) => Promise<Value>,
): Promise<Value> {
	const definitions = selectServersForFile(context.definitions, path, context.request.server);
	let missing: unknown;
	for (const definition of definitions) {
		try {
			return await withServer(context, definition, path, async (pooled) =>
				work(pooled, await pooled.server.documents.open(path)),
			);
		} catch (error) {
			if (!(error instanceof LspError) || error.code !== "LSP_SERVER_NOT_FOUND") throw error;
			missing ??= error;
		}
	}
	throw missing;
}

export function withServer<Value>(
	context: ActionContext,
	definition: ServerDefinition,
	file: string | undefined,
	work: (pooled: PooledServer) => Promise<Value>,
): Promise<Value> {
	const root = selectRoot(definition, context.workspace, file);
	return context.pool.use({ ...context, definition, root }, (pooled) =>
		pooled.server.gate.shared(async () => {
			await pooled.synchronizer.synchronize();
			return work(pooled);
		}),
	);
}
