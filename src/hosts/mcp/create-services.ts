import { asObject, asText } from "@deputize/ground";
import { readSurroundings } from "../../config/read-surroundings.ts";
import type { McpServerOptions } from "../../contract/mcp.ts";
import { SUBAGENT_TOOL } from "../../contract/subagent-tool.ts";
import type { SubagentCalls } from "./call-subagent.ts";
import { createDirectoryFinder } from "./create-directory-finder.ts";
import { createRuns } from "./create-runs.ts";
import type { Call, Services } from "./create-server.ts";
import { RPC_ERRORS, RpcError } from "./rpc.ts";

/** Everything the server does beyond its protocol. `close` ends all of it. */
export function createServices(options: McpServerOptions): Services & {
	/** Ends every run; resolves when nothing of them is left, or when `withinMs` have passed. */
	close(withinMs: number): Promise<void>;
} {
	const runs = createRuns();
	const surroundings = readSurroundings();
	const directories = createDirectoryFinder({ named: options.cwd, env: process.env, cwd: process.cwd() });

	const offer = async ({ caller }: Call) => {
		const { describeOffer } = await import("./describe-tool.ts");
		return describeOffer({
			surroundings,
			cwd: await directories.known(),
			hasUI: caller.canElicit,
			agentsDirectories: options.agentsDirectories,
			builtinOnly: options.builtinOnly,
		});
	};
	let loading: Promise<SubagentCalls> | undefined;

	return {
		listTools: async (call) => ({ tools: (await offer(call)).tools }),
		listPrompts: async (call) => ({ prompts: (await offer(call)).prompts }),
		async getPrompt(call) {
			const name = asText(call.params["name"]);
			const task = asText(asObject(call.params["arguments"])["task"]);
			if (task.trim() === "") throw new RpcError(RPC_ERRORS.invalidParams, "The argument task is missing.");
			const known = (await offer(call)).prompts.some((prompt) => prompt["name"] === name);
			if (!known) throw new RpcError(RPC_ERRORS.invalidParams, `There is no prompt ${JSON.stringify(name)}.`);
			return (await import("./describe-tool.ts")).renderPrompt(name, task);
		},
		async callTool(call) {
			const { name } = call.params;
			if (name !== SUBAGENT_TOOL) {
				throw new RpcError(
					RPC_ERRORS.invalidParams,
					`Unknown tool: ${asText(name) || "no name was given"}. The only tool is ${SUBAGENT_TOOL}.`,
				);
			}
			const cwd = await directories.find(call);
			loading ??= import("./call-subagent.ts").then(({ createSubagentCalls }) =>
				createSubagentCalls({ options, runs, cwd }),
			);
			// No arguments at all are an empty object; whatever else there is, the engine judges.
			return (await loading).run(call, call.params["arguments"] ?? {}, cwd);
		},
		forgetRoots: directories.forget,
		async close(withinMs) {
			await runs.close(withinMs);
			await (await loading)?.close();
		},
	};
}
