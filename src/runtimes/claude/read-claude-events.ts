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
import { toToolEnd } from "../program/to-tool-end.ts";
import { TOOL_SERVER } from "../program/tool-server.ts";
import { CLAUDE_HANDOVER_TOOL, CLAUDE_PREFIX } from "./claude-tools.ts";
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
	return createEventReader((steps) => new ClaudeDialect(options, steps));
}

interface ReaderOptions {
	readonly granted: readonly string[];
	readonly spent: Usage;
}

class ClaudeDialect implements ProgramDialect {
	readonly retryType = "system";
	readonly failureType = "result";
	readonly #options: ReaderOptions;
	readonly #steps: ReaderSteps;
	readonly #names = new Map<string, string>();
	#total: Usage;
	#message: OpenMessage | undefined;
	/** The call of the handover that has no result yet. */
	#openHandover: string | undefined;
	#failure: { readonly message: string; readonly status?: number } | undefined;

	constructor(options: ReaderOptions, steps: ReaderSteps) {
		this.#options = options;
		this.#steps = steps;
		this.#total = options.spent;
	}

	readonly readers: ProgramDialect["readers"] = {
		system: (event) => this.#readSystem(event),
		stream_event: (event) => this.#readStream(asObject(event["event"])),
		assistant: (event) => this.#readAssistant(event),
		user: (event) => this.#readUser(event),
		result: (event) => this.#readResult(event),
	};

	/** Steps of agents inside it; none of the granted tools starts one. */
	isForeign(event: JsonObject): boolean {
		return typeof event["parent_tool_use_id"] === "string";
	}

	sessionName(): undefined {
		return undefined;
	}

	total(): Usage {
		return this.#total;
	}

	#endMessage(): readonly ChildEvent[] {
		if (this.#message === undefined) return [];
		const { texts, calls, ends, stopReason, model, usage } = this.#message;
		this.#message = undefined;
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

	#stop(errorMessage: string, status?: number): readonly ChildEvent[] {
		return [...this.#endMessage(), ...this.#steps.giveUp(errorMessage, status)];
	}

	#readSystem(event: JsonObject): readonly ChildEvent[] {
		if (event["subtype"] === "init") {
			const tools = asList(event["tools"]).map(asText);
			const { granted } = this.#options;
			const isServed = granted.some((name) => name.startsWith(CLAUDE_PREFIX));
			const extra = [
				...tools.filter((name) => name !== CLAUDE_HANDOVER_TOOL && !granted.includes(name)),
				...asList(event["mcp_servers"])
					.map((server) => asText(asObject(server)["name"]))
					.filter((name) => !isServed || name !== TOOL_SERVER),
			];
			return extra.length === 0
				? []
				: this.#stop(
						`Claude Code offers what was not granted (${extra.join(", ")}); it was stopped before its first turn.`,
					);
		}
		if (event["subtype"] !== "api_retry") return [];
		const status = asCount(event["error_status"]);
		if (REFUSED_LOGIN.includes(status)) {
			return this.#stop(
				`${status} ${asText(event["error"])}. Claude Code's login does not work: run claude once and log in, or set ANTHROPIC_API_KEY.`,
				status,
			);
		}
		const reason = `${status || "no answer"} ${asText(event["error"])}`.trim();
		return this.#steps.backOff(reason, asCount(event["retry_delay_ms"]) || undefined);
	}

	#readStream(event: JsonObject): readonly ChildEvent[] {
		const delta = asObject(event["delta"]);
		switch (event["type"]) {
			case "message_start": {
				const begun = asObject(event["message"]);
				const ended = this.#endMessage();
				this.#message = {
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
				if (this.#message !== undefined) {
					this.#message.stopReason = STOP_REASONS[asText(delta["stop_reason"])] ?? "other";
					this.#message.usage = laterUsage(this.#message.usage, asObject(event["usage"]));
				}
				return [];
			case "message_stop":
				return this.#endMessage();
			default:
				return [];
		}
	}

	#readAssistant(event: JsonObject): readonly ChildEvent[] {
		const said = asObject(event["message"]);
		const blocks = asList(said["content"]).map(asObject);
		const text = blocks.filter((block) => block["type"] === "text").map((block) => asText(block["text"]));
		if (said["model"] === SYNTHETIC_MODEL) {
			const status = asCount(event["api_error_status"]);
			this.#failure = defined({ message: text.join("\n"), status: status || undefined });
			return [];
		}
		const calls = blocks
			.filter((block) => block["type"] === "tool_use")
			.map((block) => ({
				id: asText(block["id"]),
				name: toOurToolName(asText(block["name"])),
				args: asObject(block["input"]),
			}));
		this.#message?.texts.push(...text);
		this.#message?.calls.push(...calls);
		for (const { id, name } of calls) this.#names.set(id, name);
		this.#openHandover = calls.find(({ name }) => name === FINALIZE_TOOL)?.id ?? this.#openHandover;
		return calls.map((call) => ({ type: "tool-start", ...call }));
	}

	#readUser(event: JsonObject): readonly ChildEvent[] {
		const content = asObject(event["message"])["content"];
		const blocks = asList(content).map(asObject);
		const ends = blocks
			.filter((block) => block["type"] === "tool_result")
			.map((block): ChildEvent => {
				const id = asText(block["tool_use_id"]);
				if (id === this.#openHandover) this.#openHandover = undefined;
				return toToolEnd({
					id,
					name: this.#names.get(id) ?? "",
					isError: block["is_error"] === true,
					output: joinTextBlocks(block["content"]),
				});
			});
		const isCorrected =
			event["isSynthetic"] === true &&
			blocks.some((block) => asText(block["text"]).startsWith(OWN_CORRECTION));
		if (isCorrected) return [...this.#endMessage(), { type: "correction" }];
		if (this.#message === undefined) return ends;
		this.#message.ends.push(...ends);
		return [];
	}

	/** Over budget, Claude Code no longer processes an answer handed over in the last turn. It is checked here like any other. */
	#acceptHandover(): readonly ChildEvent[] {
		return this.#openHandover === undefined
			? []
			: [{ type: "tool-end", id: this.#openHandover, name: FINALIZE_TOOL, isError: false }];
	}

	#readResult(event: JsonObject): readonly ChildEvent[] {
		const status = asCount(event["api_error_status"]);
		const isOverBudget = event["subtype"] === OVER_BUDGET;
		const isFailure =
			event["is_error"] === true &&
			!isOverBudget &&
			event["subtype"] !== "error_max_structured_output_retries";
		const before = this.#total;
		this.#total = { ...NO_USAGE, cost: asCount(event["total_cost_usd"]) };
		const said = this.#failure?.message || asText(event["result"]) || asText(event["subtype"]);
		return [
			...this.#endMessage(),
			...(isOverBudget ? this.#acceptHandover() : []),
			{ type: "extra-usage", usage: subtractUsage(this.#total, before) },
			// The turn that it did not begin: the bound is checked where it is checked for all runtimes.
			...(isOverBudget ? [{ type: "turn-start" } as const] : []),
			...(isFailure ? [toFailedMessage(said, this.#failure?.status ?? (status || undefined))] : []),
			{ type: "settled", aborted: false },
		];
	}
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
