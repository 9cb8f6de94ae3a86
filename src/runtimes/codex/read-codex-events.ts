import {
	asCount,
	asObject,
	asText,
	defined,
	type JsonObject,
	joinTextBlocks,
	parseJsonObject,
} from "@deputize/ground";
import type { ChildEvent } from "../../contract/event.ts";
import { FINALIZE_TOOL } from "../../contract/finalization.ts";
import { NO_USAGE, subtractUsage, type Usage } from "../../contract/usage.ts";
import type { EventReader } from "../program/agent-program.ts";
import { createEventReader, type ProgramDialect, type ReaderSteps } from "../program/create-event-reader.ts";
import { toFailedMessage } from "../program/to-failed-message.ts";

const REFUSED_LOGIN = /\bunexpected status (40[13])\b/;
/** Items that are tool calls, and their names here. */
const TOOLS: Readonly<Record<string, { readonly name: string; readonly fields: readonly string[] }>> = {
	command_execution: { name: "shell", fields: ["command"] },
	web_search: { name: "web_search", fields: ["query"] },
	file_change: { name: "apply_patch", fields: ["changes"] },
	mcp_tool_call: { name: "mcp", fields: ["server", "tool", "arguments"] },
};
const HANDOVER_ID = "handover";

/**
 * The lines of `codex exec --json` as child events. Codex reports what it spent once, at the end, and does not
 * report where a turn of the model begins: the first step after the end of a call is taken for one.
 */
export function createCodexReader(options: ReaderOptions): EventReader {
	return createEventReader((steps) => describeCodex(options, steps));
}

interface ReaderOptions {
	readonly handsOver: boolean;
	readonly model: string | undefined;
	readonly spent: Usage;
}

function describeCodex(options: ReaderOptions, { backOff, giveUp }: ReaderSteps): ProgramDialect {
	const running = new Set<string>();
	const model = options.model === undefined ? {} : { model: `openai/${options.model}` };
	let total = options.spent;
	let thread: string | undefined;
	let lastText: string | undefined;
	let isTurnOpen = false;

	/** The beginning of a turn, and its count, unless one is open already. */
	function openTurn(): { readonly events: readonly ChildEvent[]; readonly usage: Usage } {
		const isNew = !isTurnOpen;
		isTurnOpen = true;
		return {
			events: isNew ? [{ type: "turn-start" }] : [],
			usage: { ...NO_USAGE, turns: isNew ? 1 : 0 },
		};
	}

	function say(text: string, stopReason: "stop" | "tool-use"): readonly ChildEvent[] {
		const { events, usage } = openTurn();
		return [...events, { type: "assistant-message", text, toolCalls: [], stopReason, ...model, usage }];
	}

	/** A message is known to be the last one only when something else follows. */
	function flushText(): readonly ChildEvent[] {
		if (lastText === undefined) return [];
		const text = lastText;
		lastText = undefined;
		return say(text, "tool-use");
	}

	function startCall(item: JsonObject): readonly ChildEvent[] {
		const tool = TOOLS[asText(item["type"])];
		const id = asText(item["id"]);
		if (tool === undefined || running.has(id)) return [];
		running.add(id);
		const call = {
			id,
			name: tool.name,
			args: Object.fromEntries(tool.fields.map((field) => [field, item[field]])),
		};
		const before = flushText();
		const { events, usage } = openTurn();
		return [
			...before,
			...events,
			{ type: "assistant-message", text: "", toolCalls: [call], stopReason: "tool-use", ...model, usage },
			{ type: "tool-start", ...call },
		];
	}

	function completeItem(item: JsonObject): readonly ChildEvent[] {
		const type = asText(item["type"]);
		if (type === "agent_message") {
			const before = flushText();
			lastText = asText(item["text"]);
			return before;
		}
		const tool = TOOLS[type];
		if (tool === undefined) return [];
		const started = startCall(item);
		const id = asText(item["id"]);
		running.delete(id);
		isTurnOpen = false;
		const isError = item["status"] === "failed" || asCount(item["exit_code"]) > 0;
		return [
			...started,
			{ type: "tool-end", id, name: tool.name, isError, ...defined({ output: readItemOutput(item) }) },
		];
	}

	function completeTurn(event: JsonObject): readonly ChildEvent[] {
		const text = lastText ?? "";
		lastText = undefined;
		const before = total;
		total = toCodexUsage(asObject(event["usage"]));
		const handover = options.handsOver ? parseJsonObject(text) : undefined;
		const call = { id: HANDOVER_ID, name: FINALIZE_TOOL, args: handover ?? {} };
		return [
			...say(handover === undefined ? text : "", "stop"),
			{ type: "extra-usage", usage: subtractUsage(total, before) },
			...(handover === undefined
				? []
				: ([
						{ type: "tool-start", ...call },
						{ type: "tool-end", id: call.id, name: call.name, isError: false },
					] as const)),
			{ type: "settled", aborted: false },
		];
	}

	function readError(message: string): readonly ChildEvent[] {
		const status = Number(REFUSED_LOGIN.exec(message)?.[1] ?? 0);
		if (status === 0) return backOff();
		const advice = "Codex's login does not work: run codex login, or set the key of its provider.";
		return [...flushText(), ...giveUp(`${toPlainMessage(message)}. ${advice}`, status)];
	}

	return {
		readers: {
			"thread.started"(event) {
				thread = asText(event["thread_id"]);
				return [];
			},
			"item.started": (event) => startCall(asObject(event["item"])),
			"item.completed": (event) => completeItem(asObject(event["item"])),
			"turn.completed": completeTurn,
			"turn.failed": (event) => [
				...flushText(),
				toFailedMessage(toPlainMessage(asText(asObject(event["error"])["message"]))),
				{ type: "settled", aborted: false },
			],
			error: (event) => readError(asText(event["message"])),
		},
		retryType: "error",
		failureType: "turn.failed",
		sessionName: () => thread,
		total: () => total,
	};
}

/** The output of a command, or the text of an MCP tool's result. */
function readItemOutput(item: JsonObject): string | undefined {
	const printed = asText(item["aggregated_output"]);
	return printed || joinTextBlocks(asObject(item["result"])["content"]) || undefined;
}

/** Without the retry count around it and the JSON of the provider's answer. */
function toPlainMessage(message: string): string {
	const inner = /^Reconnecting\.\.\. \d+\/\d+ \((.*)\)$/s.exec(message)?.[1] ?? message;
	return asText(asObject(parseJsonObject(inner)?.["error"])["message"]) || inner;
}

function toCodexUsage(usage: JsonObject): Usage {
	const cacheRead = asCount(usage["cached_input_tokens"]);
	return {
		...NO_USAGE,
		input: Math.max(0, asCount(usage["input_tokens"]) - cacheRead),
		output: asCount(usage["output_tokens"]),
		cacheRead,
		cacheWrite: asCount(usage["cache_write_input_tokens"]),
	};
}
