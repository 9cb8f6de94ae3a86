import { type JsonObject, messageOf } from "@deputize/ground";
import type { HostNeutralTool } from "../../contract/tool.ts";
import type { ToolCall } from "../providers/provider.ts";

/** What one tool may say to the model, in one answer. */
const MAX_RESULT_CHARS = 200 * 1024;
/** More calls in one turn than anybody needs; the rest are refused with the advice to make them one after the other. */
const MAX_CALLS_AT_ONCE = 32;

interface ToolAnswer {
	readonly text: string;
	readonly isError: boolean;
	/** How a command ended, of a tool that ran one. */
	readonly exitCode?: number | null;
}

export function createToolCaller(
	tools: readonly HostNeutralTool[],
	context: { readonly cwd: string; readonly signal: AbortSignal; readonly beforeTool?: () => void },
	/** Why a tool that the model may have read about is not there. */
	missing: ReadonlyMap<string, string> = new Map(),
) {
	const byName = new Map(tools.map((tool) => [tool.name, tool]));
	let running = 0;

	async function execute(tool: HostNeutralTool, args: JsonObject): Promise<ToolAnswer> {
		running += 1;
		context.beforeTool?.();
		try {
			const outcome = await tool.execute(args, context);
			const exitCode = outcome.details["exitCode"];
			return {
				text: shortenResult(outcome.text),
				isError: outcome.isError,
				...(typeof exitCode === "number" || exitCode === null ? { exitCode } : {}),
			};
		} catch (error) {
			return failedCall(`The tool ${tool.name} failed: ${messageOf(error)}`);
		} finally {
			running -= 1;
		}
	}

	return {
		declarations: tools.map(({ name, description, parameters }) => ({ name, description, parameters })),
		/** Never rejects: a wrong name, wrong arguments or a broken tool is an answer the model can act on. */
		async answer(call: ToolCall, args: JsonObject | undefined): Promise<ToolAnswer> {
			const tool = byName.get(call.name);
			if (tool === undefined) {
				const known = [...byName.keys()].join(", ") || "none";
				const why = missing.has(call.name) ? ` ${missing.get(call.name)}` : "";
				return failedCall(
					`There is no tool named ${JSON.stringify(call.name)}.${why} Available tools: ${known}.`,
				);
			}
			if (args === undefined) {
				return failedCall(
					`The arguments of ${call.name} are not a JSON object. Send them again as one JSON object.`,
				);
			}
			if (running >= MAX_CALLS_AT_ONCE) {
				return failedCall(
					`Too many calls at once (limit ${MAX_CALLS_AT_ONCE}). Send this one again in the next turn.`,
				);
			}
			return await execute(tool, args);
		},
	};
}

export type ToolCaller = ReturnType<typeof createToolCaller>;

function failedCall(message: string): ToolAnswer {
	return { text: `Error: ${message}`, isError: true };
}

function shortenResult(text: string): string {
	if (text.length <= MAX_RESULT_CHARS) return text;
	return `${text.slice(0, MAX_RESULT_CHARS)}\n[${text.length - MAX_RESULT_CHARS} more characters were left out]`;
}
