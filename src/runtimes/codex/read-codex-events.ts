import {
	asCount,
	asObject,
	asText,
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
import { toToolEnd } from "../program/to-tool-end.ts";
import { TOOL_SERVER } from "../program/tool-server.ts";

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
	return createEventReader((steps) => new CodexDialect(options, steps));
}

interface ReaderOptions {
	readonly handsOver: boolean;
	readonly model: string | undefined;
	readonly spent: Usage;
}

class CodexDialect implements ProgramDialect {
	readonly retryType = "error";
	readonly failureType = "turn.failed";
	readonly #options: ReaderOptions;
	readonly #steps: ReaderSteps;
	readonly #model: { readonly model?: string };
	readonly #running = new Set<string>();
	#total: Usage;
	#thread: string | undefined;
	#lastText: string | undefined;
	#isTurnOpen = false;

	constructor(options: ReaderOptions, steps: ReaderSteps) {
		this.#options = options;
		this.#steps = steps;
		this.#model = options.model === undefined ? {} : { model: `openai/${options.model}` };
		this.#total = options.spent;
	}

	readonly readers: ProgramDialect["readers"] = {
		"thread.started": (event) => {
			this.#thread = asText(event["thread_id"]);
			return [];
		},
		"item.started": (event) => this.#startCall(asObject(event["item"])),
		"item.completed": (event) => this.#completeItem(asObject(event["item"])),
		"turn.completed": (event) => this.#completeTurn(event),
		"turn.failed": (event) => [
			...this.#flushText(),
			toFailedMessage(toPlainMessage(asText(asObject(event["error"])["message"]))),
			{ type: "settled", aborted: false },
		],
		error: (event) => this.#readError(asText(event["message"])),
	};

	sessionName(): string | undefined {
		return this.#thread;
	}

	total(): Usage {
		return this.#total;
	}

	/** The beginning of a turn, and its count, unless one is open already. */
	#openTurn(): { readonly events: readonly ChildEvent[]; readonly usage: Usage } {
		const isNew = !this.#isTurnOpen;
		this.#isTurnOpen = true;
		return {
			events: isNew ? [{ type: "turn-start" }] : [],
			usage: { ...NO_USAGE, turns: isNew ? 1 : 0 },
		};
	}

	#say(text: string, stopReason: "stop" | "tool-use"): readonly ChildEvent[] {
		const { events, usage } = this.#openTurn();
		return [...events, { type: "assistant-message", text, toolCalls: [], stopReason, ...this.#model, usage }];
	}

	/** A message is known to be the last one only when something else follows. */
	#flushText(): readonly ChildEvent[] {
		if (this.#lastText === undefined) return [];
		const text = this.#lastText;
		this.#lastText = undefined;
		return this.#say(text, "tool-use");
	}

	#startCall(item: JsonObject): readonly ChildEvent[] {
		const tool = TOOLS[asText(item["type"])];
		const id = asText(item["id"]);
		if (tool === undefined || this.#running.has(id)) return [];
		this.#running.add(id);
		const call = isServed(item)
			? { id, name: asText(item["tool"]), args: asObject(item["arguments"]) }
			: {
					id,
					name: tool.name,
					args: Object.fromEntries(tool.fields.map((field) => [field, item[field]])),
				};
		const before = this.#flushText();
		const { events, usage } = this.#openTurn();
		return [
			...before,
			...events,
			{
				type: "assistant-message",
				text: "",
				toolCalls: [call],
				stopReason: "tool-use",
				...this.#model,
				usage,
			},
			{ type: "tool-start", ...call },
		];
	}

	#completeItem(item: JsonObject): readonly ChildEvent[] {
		const type = asText(item["type"]);
		if (type === "agent_message") {
			const before = this.#flushText();
			this.#lastText = asText(item["text"]);
			return before;
		}
		const tool = TOOLS[type];
		if (tool === undefined) return [];
		const started = this.#startCall(item);
		const id = asText(item["id"]);
		this.#running.delete(id);
		this.#isTurnOpen = false;
		const isError = item["status"] === "failed" || asCount(item["exit_code"]) > 0 || isFailedResult(item);
		const name = isServed(item) ? asText(item["tool"]) : tool.name;
		return [...started, toToolEnd({ id, name, isError, output: readItemOutput(item) })];
	}

	#completeTurn(event: JsonObject): readonly ChildEvent[] {
		const text = this.#lastText ?? "";
		this.#lastText = undefined;
		const before = this.#total;
		this.#total = toCodexUsage(asObject(event["usage"]));
		const handover = this.#options.handsOver ? parseJsonObject(text) : undefined;
		const call = { id: HANDOVER_ID, name: FINALIZE_TOOL, args: handover ?? {} };
		return [
			...this.#say(handover === undefined ? text : "", "stop"),
			{ type: "extra-usage", usage: subtractUsage(this.#total, before) },
			...(handover === undefined
				? []
				: ([
						{ type: "tool-start", ...call },
						{ type: "tool-end", id: call.id, name: call.name, isError: false },
					] as const)),
			{ type: "settled", aborted: false },
		];
	}

	#readError(message: string): readonly ChildEvent[] {
		const status = Number(REFUSED_LOGIN.exec(message)?.[1] ?? 0);
		if (status === 0) return this.#steps.backOff(toPlainMessage(message));
		const advice = "Codex's login does not work: run codex login, or set the key of its provider.";
		return [...this.#flushText(), ...this.#steps.giveUp(`${toPlainMessage(message)}. ${advice}`, status)];
	}
}

/** A call of one of our tools has its own name. */
function isServed(item: JsonObject): boolean {
	return item["type"] === "mcp_tool_call" && item["server"] === TOOL_SERVER;
}

function isFailedResult(item: JsonObject): boolean {
	const { is_error: isError, isError: isErrorToo } = asObject(item["result"]);
	return isError === true || isErrorToo === true;
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
