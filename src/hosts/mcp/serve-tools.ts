import { asText, createLineSplitter } from "@deputize/ground";
import { readSurroundings } from "../../config/read-surroundings.ts";
import { DEFAULT_CONFIG } from "../../contract/config.ts";
import { LIMITS } from "../../contract/limits.ts";
import { readPackageVersion } from "../../contract/read-package-version.ts";
import { GRANT_VARIABLE, parseChildGrant } from "../../runtimes/child-grant.ts";
import { createToolbox } from "../../toolbox/create-toolbox.ts";
import { createServer, type Services } from "./create-server.ts";
import { RPC_ERRORS, RpcError } from "./rpc.ts";

/**
 * Our tools for a child that is another agent's program and works in a layer, so that its commands are confined like those of
 * every other child. The program starts this inside of the sandbox that it is in itself.
 */
const grant = parseChildGrant(process.env[GRANT_VARIABLE]);
if (grant === undefined)
	throw new Error(`${GRANT_VARIABLE} is missing or broken: this server only works in a child of deputize.`);
const { runDirectory, agentDirectory, workspace, fileRules } = grant;

const toolbox = createToolbox({
	...readSurroundings(),
	...{ cwd: process.cwd(), agentDirectory, workspace, files: fileRules },
	config: () => DEFAULT_CONFIG,
	storeDirectory: () => runDirectory,
	temporaryDirectory: () => runDirectory,
	lsp: { mode: "child", allowedActions: [], projectTrusted: false },
});
const opening = toolbox.open(grant.tools);

const services: Services = {
	async listTools() {
		const tools = await opening;
		return {
			tools: tools.map(({ name, description, parameters }) => ({
				...{ name, description, inputSchema: parameters },
			})),
		};
	},
	async callTool({ params, signal }) {
		const tool = (await opening).find(({ name }) => name === params["name"]);
		if (tool === undefined)
			throw new RpcError(RPC_ERRORS.invalidParams, `Unknown tool: ${asText(params["name"])}.`);
		const { text, isError } = await tool.execute(params["arguments"] ?? {}, { cwd: process.cwd(), signal });
		return { content: [{ type: "text", text }], isError };
	},
	listPrompts: () => Promise.resolve({ prompts: [] }),
	getPrompt: () => Promise.reject(new RpcError(RPC_ERRORS.invalidParams, "There are no prompts here.")),
	forgetRoots: () => undefined,
};

const server = createServer({
	version: readPackageVersion(),
	send: (message) => process.stdout.write(`${JSON.stringify(message)}\n`),
	services,
});
const lines = createLineSplitter({
	maxLineBytes: 4 * LIMITS.maxTaskBytes,
	onLine: (line) => server.receive(line.toString("utf8")),
	onSkip: server.refuseLine,
});
process.stdin.on("data", (chunk: Buffer) => lines.push(chunk));
process.stdin.on("end", () => process.exit(0));
