import {
	asCount,
	asList,
	asObject,
	asText,
	defined,
	type JsonObject,
	joinTextBlocks,
} from "@deputize/ground";
import type { ChildEvent, StopReason, ToolCallRecord } from "../../contract/event.ts";
import { FINALIZE_TOOL } from "../../contract/finalization.ts";
import { NO_USAGE, subtractUsage, type Usage } from "../../contract/usage.ts";
import type { EventReader } from "../program/agent-program.ts";
import { createEventReader, type ProgramDialect, type ReaderSteps } from "../program/create-event-reader.ts";
import { toFailedMessage } from "../program/to-failed-message.ts";
import { CLAUDE_HANDOVER_TOOL } from "./claude-tools.ts";
import { toClaudeUsage } from "./to-claude-usage.ts";
import { toOurToolName } from "./to-our-tool-name.ts";

/** What Claude Code tells a model that stopped without handing over through the tool. */
const OWN_CORRECTION = "[structured-output-enforce]";
/** The messages that Claude Code writes in the model's place. */
const SYNTHETIC_MODEL = "<synthetic>";
const REFUSED_LOGIN = [401, 403];
/** The result of a run that would need another turn after spending what `--max-budget-usd` allows. */
const OVER_BUDGET = "error_max_budget_usd";

interface OpenMessage {
	readonly model: string;
	readonly texts: string[];
	readonly calls: ToolCallRecord[];
	/** Ends of calls that finished while the message was still being written. */
	readonly ends: ChildEvent[];
	usage: Usage;
	stopReason: StopReason;
}

/**
 * The lines of `claude -p --output-format stream-json --include-partial-messages` as child events. A message comes in
 * pieces, one for each of its blocks, with counts of tokens that are only true at its end; it becomes one event there.
 */
export function createClaudeReader(options: ReaderOptions): EventReader {
	return createEventReader((steps) => describeClaude(options, steps));
}

interface ReaderOptions {
	readonly granted: readonly string[];
	readonly spent: Usage;
}

function describeClaude({ granted, spent }: ReaderOptions, { backOff, giveUp }: ReaderSteps): ProgramDialect {
	let total = spent;
	const names = new Map<string, string>();
	let message: OpenMessage | undefined;
	/** The call of the handover that has no result yet. */
	let openHandover: string | undefined;
	let failure: { readonly message: string; readonly status?: number } | undefined;

	function endMessage(): readonly ChildEvent[] {
		if (message === undefined) return [];
		const { texts, calls, ends, stopReason, model, usage } = message;
		message = undefined;
		return [
			{
				type: "assistant-message",
				text: texts.join("\n").trim(),
				toolCalls: calls,
				stopReason,
				...(model === "" ? {} : { model: `anthropic/${model}` }),
				usage: { ...usage, turns: 1 },
			},
			...ends,
		];
	}

	function stop(errorMessage: string, status?: number): readonly ChildEvent[] {
		return [...endMessage(), ...giveUp(errorMessage, status)];
	}

	function readSystem(event: JsonObject): readonly ChildEvent[] {
		if (event["subtype"] === "init") {
			const tools = asList(event["tools"]).map(asText);
			const extra = [
				...tools,
				...asList(event["mcp_servers"]).map((server) => asText(asObject(server)["name"])),
			].filter((name) => name !== CLAUDE_HANDOVER_TOOL && !granted.includes(name));
			return extra.length === 0
				? []
				: stop(
						`Claude Code offers what was not granted (${extra.join(", ")}); it was stopped before its first turn.`,
					);
		}
		if (event["subtype"] !== "api_retry") return [];
		const status = asCount(event["error_status"]);
		if (REFUSED_LOGIN.includes(status)) {
			return stop(
				`${status} ${asText(event["error"])}. Claude Code's login does not work: run claude once and log in, or set ANTHROPIC_API_KEY.`,
				status,
			);
		}
		return backOff(asCount(event["retry_delay_ms"]) || undefined);
	}

	function readStream(event: JsonObject): readonly ChildEvent[] {
		const delta = asObject(event["delta"]);
		switch (event["type"]) {
			case "message_start": {
				const begun = asObject(event["message"]);
				const ended = endMessage();
				message = {
					model: asText(begun["model"]),
					texts: [],
					calls: [],
					ends: [],
					usage: toClaudeUsage(asObject(begun["usage"])),
					stopReason: "other",
				};
				return [...ended, { type: "turn-start" }];
			}
			case "content_block_delta":
				return readDelta(delta);
			case "message_delta":
				if (message !== undefined) {
					message.stopReason = STOP_REASONS[asText(delta["stop_reason"])] ?? "other";
					message.usage = laterUsage(message.usage, asObject(event["usage"]));
				}
				return [];
			case "message_stop":
				return endMessage();
			default:
				return [];
		}
	}

	function readAssistant(event: JsonObject): readonly ChildEvent[] {
		const said = asObject(event["message"]);
		const blocks = asList(said["content"]).map(asObject);
		const text = blocks.filter((block) => block["type"] === "text").map((block) => asText(block["text"]));
		if (said["model"] === SYNTHETIC_MODEL) {
			const status = asCount(event["api_error_status"]);
			failure = defined({ message: text.join("\n"), status: status || undefined });
			return [];
		}
		const calls = blocks
			.filter((block) => block["type"] === "tool_use")
			.map((block) => ({
				id: asText(block["id"]),
				name: toOurToolName(asText(block["name"])),
				args: asObject(block["input"]),
			}));
		message?.texts.push(...text);
		message?.calls.push(...calls);
		for (const { id, name } of calls) names.set(id, name);
		openHandover = calls.find(({ name }) => name === FINALIZE_TOOL)?.id ?? openHandover;
		return calls.map((call) => ({ type: "tool-start", ...call }));
	}

	function readUser(event: JsonObject): readonly ChildEvent[] {
		const content = asObject(event["message"])["content"];
		const blocks = asList(content).map(asObject);
		const ends = blocks
			.filter((block) => block["type"] === "tool_result")
			.map((block): ChildEvent => {
				const id = asText(block["tool_use_id"]);
				if (id === openHandover) openHandover = undefined;
				return {
					type: "tool-end",
					id,
					name: names.get(id) ?? "",
					isError: block["is_error"] === true,
					output: joinTextBlocks(block["content"]),
				};
			});
		const isCorrected =
			event["isSynthetic"] === true &&
			blocks.some((block) => asText(block["text"]).startsWith(OWN_CORRECTION));
		if (isCorrected) return [...endMessage(), { type: "correction" }];
		if (message === undefined) return ends;
		message.ends.push(...ends);
		return [];
	}

	/** Over budget, Claude Code no longer processes an answer handed over in the last turn. It is checked here like any other. */
	function acceptHandover(): readonly ChildEvent[] {
		return openHandover === undefined
			? []
			: [{ type: "tool-end", id: openHandover, name: FINALIZE_TOOL, isError: false }];
	}

	function readResult(event: JsonObject): readonly ChildEvent[] {
		const status = asCount(event["api_error_status"]);
		const isOverBudget = event["subtype"] === OVER_BUDGET;
		const isFailure =
			event["is_error"] === true &&
			!isOverBudget &&
			event["subtype"] !== "error_max_structured_output_retries";
		const before = total;
		total = { ...NO_USAGE, cost: asCount(event["total_cost_usd"]) };
		const said = failure?.message || asText(event["result"]) || asText(event["subtype"]);
		return [
			...endMessage(),
			...(isOverBudget ? acceptHandover() : []),
			{ type: "extra-usage", usage: subtractUsage(total, before) },
			// The turn that it did not begin: the bound is checked where it is checked for all runtimes.
			...(isOverBudget ? [{ type: "turn-start" } as const] : []),
			...(isFailure ? [toFailedMessage(said, failure?.status ?? (status || undefined))] : []),
			{ type: "settled", aborted: false },
		];
	}

	return {
		readers: {
			system: readSystem,
			stream_event: (event) => readStream(asObject(event["event"])),
			assistant: readAssistant,
			user: readUser,
			result: readResult,
		},
		retryType: "system",
		failureType: "result",
		// Steps of agents inside it; none of the granted tools starts one.
		isForeign: (event) => typeof event["parent_tool_use_id"] === "string",
		sessionName: () => undefined,
		total: () => total,
	};
}

function readDelta(delta: JsonObject): readonly ChildEvent[] {
	switch (delta["type"]) {
		case "text_delta":
			return [{ type: "text-delta", text: asText(delta["text"]) }];
		case "thinking_delta":
			return [{ type: "generating", what: "thinking" }];
		case "input_json_delta":
			return [{ type: "generating", what: "tool-call" }];
		default:
			return [];
	}
}

const STOP_REASONS: Readonly<Record<string, StopReason>> = {
	end_turn: "stop",
	stop_sequence: "stop",
	tool_use: "tool-use",
	max_tokens: "length",
	model_context_window_exceeded: "length",
};

/** The end of a message repeats the counts of its beginning, or leaves them out. */
function laterUsage(before: Usage, reported: JsonObject): Usage {
	const later = toClaudeUsage(reported);
	return {
		...before,
		input: later.input || before.input,
		output: later.output || before.output,
		cacheRead: later.cacheRead || before.cacheRead,
		cacheWrite: later.cacheWrite || before.cacheWrite,
	};
}
