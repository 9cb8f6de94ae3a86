import { randomBytes } from "node:crypto";
import { defined } from "@deputize/ground";
import { splitModel } from "../contract/split-model.ts";
import type { Usage } from "../contract/usage.ts";
import type { RunEnd, RunEvent, RunStart } from "../journal/run-event.ts";
import type { TraceParent } from "./parse-traceparent.ts";

export type AttributeValue = string | number | boolean;

/** One step of a run, as OpenTelemetry counts them. Times in milliseconds since 1970. */
export interface Span {
	readonly traceId: string;
	readonly spanId: string;
	readonly parentSpanId?: string;
	/** Its parent is a step of another program. */
	readonly isParentRemote?: boolean;
	readonly traceState?: string;
	readonly name: string;
	readonly kind: "internal" | "client";
	readonly startMs: number;
	readonly endMs: number;
	readonly attributes: Readonly<Record<string, AttributeValue>>;
	/** Present when the step failed. */
	readonly error?: string;
}

export interface SpanOptions {
	/** Also what was asked and answered, redacted. */
	readonly withContent: boolean;
	/** What the run is a part of. */
	readonly parent?: TraceParent | undefined;
	readonly createId?: (bytes: number) => string;
}

type Attributes = Readonly<Record<string, AttributeValue | undefined>>;

/** A span before it has its identifiers, with all that is known about it. */
interface Step extends Pick<Span, "name" | "kind" | "startMs" | "endMs"> {
	readonly attributes: Attributes;
	/** What was asked and answered. */
	readonly content: Attributes;
	readonly error: string | undefined;
}

/**
 * The spans of one run with the attributes of the GenAI conventions: the run, in it every answer of the model and every tool
 * call. What has no end of its own ends with the run.
 */
export function toSpans(
	start: RunStart,
	events: readonly RunEvent[],
	end: RunEnd,
	{ withContent, parent, createId = (bytes) => randomBytes(bytes).toString("hex") }: SpanOptions,
): readonly Span[] {
	const traceId = parent?.traceId ?? createId(16);
	const toSpan = ({ attributes, content, error, ...step }: Step, parentSpanId?: string): Span => ({
		...step,
		traceId,
		spanId: createId(8),
		...defined({ parentSpanId, error: error && !withContent ? "" : error }),
		attributes: defined({ ...attributes, ...(withContent ? content : {}) }) as Span["attributes"],
	});
	const { start: run } = start;
	const shared: Attributes = {
		"gen_ai.agent.name": run.name,
		"gen_ai.conversation.id": run.sessionId,
		"gen_ai.provider.name": run.model?.split("/")[0],
		"gen_ai.request.model": nameModel(run.model),
	};
	const root = toSpan({
		name: `invoke_agent ${run.name}`,
		kind: "internal",
		startMs: start.at,
		endMs: end.at,
		attributes: {
			"gen_ai.operation.name": "invoke_agent",
			...shared,
			...toUsage(end.usage),
			"error.type": end.ok ? undefined : (end.cause ?? end.code ?? "_OTHER"),
		},
		content: {
			"gen_ai.input.messages": renderMessages("user", start.task),
			"gen_ai.output.messages": end.output ? renderMessages("assistant", end.output) : undefined,
		},
		error: end.ok ? undefined : (end.error ?? ""),
	});
	const whole: Span =
		parent === undefined
			? root
			: {
					...root,
					parentSpanId: parent.spanId,
					isParentRemote: true,
					...defined({ traceState: parent.state }),
				};
	const inside = [...toTurns(events, shared), ...toCalls(events, end.at)];
	return [whole, ...inside.map((step) => toSpan(step, whole.spanId))];
}

function toTurns(events: readonly RunEvent[], shared: Attributes): readonly Step[] {
	let askedAt: number | undefined;
	return events.flatMap((event): readonly Step[] => {
		if (event.type === "turn") askedAt = event.at;
		if (event.type !== "message") return [];
		const startMs = askedAt ?? event.at;
		askedAt = undefined;
		return [toTurn(event, startMs, shared)];
	});
}

function toTurn(event: Extract<RunEvent, { type: "message" }>, startMs: number, shared: Attributes): Step {
	const model = nameModel(event.model) ?? shared["gen_ai.request.model"];
	return {
		name: model === undefined ? "chat" : `chat ${model}`,
		kind: "client",
		startMs,
		endMs: event.at,
		attributes: {
			"gen_ai.operation.name": "chat",
			...shared,
			"gen_ai.response.model": nameModel(event.model),
			...toUsage(event.usage),
			"error.type": event.error === undefined ? undefined : "_OTHER",
		},
		content: {
			"gen_ai.output.messages": event.text ? renderMessages("assistant", event.text) : undefined,
		},
		error: event.error,
	};
}

function toCalls(events: readonly RunEvent[], endMs: number): readonly Step[] {
	return events.flatMap((event, at): readonly Step[] => {
		if (event.type !== "call") return [];
		const result = events.slice(at).find((later) => later.type === "result" && later.id === event.id);
		const failed = result?.type === "result" && result.isError;
		return [
			{
				name: `execute_tool ${event.name}`,
				kind: "internal",
				startMs: event.at,
				endMs: result?.at ?? endMs,
				attributes: {
					"gen_ai.operation.name": "execute_tool",
					"gen_ai.tool.name": event.name,
					"gen_ai.tool.call.id": event.id,
					"gen_ai.tool.type": "function",
					"error.type": failed ? "_OTHER" : undefined,
				},
				content: { "gen_ai.tool.call.arguments": JSON.stringify(event.args) },
				error: failed ? "" : undefined,
			},
		];
	});
}

/** `provider/id`: the conventions have a name for each. */
function nameModel(model: string | undefined): string | undefined {
	return model && splitModel(model).name;
}

/** Cached tokens count as input there. */
function toUsage(usage: Usage): Attributes {
	return {
		"gen_ai.usage.input_tokens": usage.input + usage.cacheRead + usage.cacheWrite,
		"gen_ai.usage.output_tokens": usage.output,
		// No part of the conventions yet; US dollars, by the name that others use. Unknown prices are no zero.
		"gen_ai.usage.cost": usage.cost > 0 ? usage.cost : undefined,
	};
}

function renderMessages(role: "user" | "assistant", content: string): string {
	return JSON.stringify([{ role, parts: [{ type: "text", content }] }]);
}
