import { existsSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { CLI } from "./run-cli.ts";

const PEERS = join(import.meta.dirname, "../peers/node_modules/@modelcontextprotocol");

export const INSPECTOR = join(PEERS, "inspector/clients/launcher/build/index.js");

export const hasMcpPeers = existsSync(join(PEERS, "client")) && existsSync(INSPECTOR);
if (!hasMcpPeers && process.env["CI"])
	throw new Error("The official MCP client and inspector are missing: run npm ci in test/peers.");

export interface ToolAnswer {
	readonly content: readonly { readonly type: string; readonly text: string }[];
	readonly isError?: boolean;
	readonly _meta?: Readonly<Record<string, unknown>>;
}

/** The part of the official client that the tests use. It is a peer: nothing of it is installed for a type check. */
export interface OfficialClient {
	connect(transport: unknown): Promise<void>;
	close(): Promise<void>;
	getNegotiatedProtocolVersion(): string | undefined;
	getServerVersion(): { readonly name: string; readonly version: string } | undefined;
	setRequestHandler(method: string, handler: (request: { params: Record<string, unknown> }) => unknown): void;
	listTools(): Promise<{ readonly tools: readonly Readonly<Record<string, unknown>>[] }>;
	listPrompts(): Promise<{ readonly prompts: readonly { readonly name: string }[] }>;
	getPrompt(request: object): Promise<{ readonly messages: readonly unknown[] }>;
	callTool(request: object, options?: object): Promise<ToolAnswer>;
}

export interface OfficialTransport {
	readonly pid: number | null;
}

export type Era = "legacy" | "auto";

/** The official client, connected to the compiled package. `auto` speaks the newest version without a handshake. */
export async function connectOfficialClient(options: {
	readonly era: Era;
	readonly args?: readonly string[];
	readonly cwd: string;
	readonly env: Readonly<Record<string, string>>;
	readonly capabilities?: object;
	readonly prepare?: (client: OfficialClient) => void;
}): Promise<{ readonly client: OfficialClient; readonly transport: OfficialTransport }> {
	const load = async (path: string) =>
		(await import(pathToFileURL(join(PEERS, "client/dist", path)).href)) as Record<string, never>;
	const [{ Client }, { StdioClientTransport }] = (await Promise.all([
		load("index.mjs"),
		load("stdio.mjs"),
	])) as unknown as [
		{ Client: new (info: object, options: object) => OfficialClient },
		{ StdioClientTransport: new (options: object) => OfficialTransport },
	];
	const client = new Client(
		{ name: "deputize-test", version: "0" },
		{ versionNegotiation: { mode: options.era }, capabilities: options.capabilities ?? {} },
	);
	options.prepare?.(client);
	const transport = new StdioClientTransport({
		command: process.execPath,
		args: [CLI, "mcp", ...(options.args ?? [])],
		cwd: options.cwd,
		env: options.env,
	});
	await client.connect(transport);
	return { client, transport };
}
