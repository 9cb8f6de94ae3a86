import { asCount, asObject, asText, isObject, type JsonObject, omit } from "@deputize/ground";
import type { LoopError } from "./loop-error.ts";

/** A change to one parameter of the request that the server refused by name. Never to prompt, tools or model. */
export interface RequestEdit {
	readonly key: string;
	apply(body: JsonObject): JsonObject;
}

type Negotiation = { readonly kind: "edit"; readonly edit: RequestEdit } | { readonly kind: "weaker-output" };

const MINIMUM_RESPONSES_TOKENS = 16;
const EFFORTS = ["none", "minimal", "low", "medium", "high", "xhigh", "max"];
/** Refusals that are about a parameter rather than about the key, the model or the size of the prompt. */
const NEGOTIABLE_STATUS = new Set([400, 422]);

/** What to change so that the server may accept the same request; undefined when nothing in its error can be acted on. */
export function negotiateRequest(
	error: LoopError,
	body: JsonObject,
	think: boolean,
): Negotiation | undefined {
	if (!NEGOTIABLE_STATUS.has(error.facts.status ?? 0)) return undefined;
	const complaint = { parameter: findParameter(error), message: error.message };
	for (const rule of RULES) {
		const negotiation = rule(complaint, body, think);
		if (negotiation !== undefined) return negotiation;
	}
	return undefined;
}

interface Complaint {
	readonly parameter: string;
	readonly message: string;
}

type Rule = (complaint: Complaint, body: JsonObject, think: boolean) => Negotiation | undefined;

const PARAMETER_PATTERNS = [
	/(?:unsupported|unknown|unrecognized|invalid)[^'"`]{0,40}['"`]([\w.[\]]+)['"`]/i,
	/['"`]?([a-z_]+(?:\.[a-z_]+)*)['"`]?: extra inputs are not permitted/i,
	/['"`]([a-z_]+(?:\.[a-z_]+)*)['"`] (?:is|are|may|must|does|cannot|has)\b/i,
	/answered \d+: ([a-z_]+(?:\.[a-z_]+)*): /i,
	/\b(temperature|reasoning_effort|max_tokens|stream_options|response_format|output_config|text\.format)\b/i,
];

/** Named in a field by OpenAI, only in the sentence by others. */
function findParameter(error: LoopError): string {
	if (error.facts.parameter !== undefined) return error.facts.parameter;
	for (const pattern of PARAMETER_PATTERNS) {
		const name = pattern.exec(error.message)?.[1];
		if (name !== undefined && name !== "none") return name;
	}
	return "";
}

const edit = (key: string, apply: RequestEdit["apply"]): Negotiation => ({
	kind: "edit",
	edit: { key, apply },
});

const dropField = (name: string): Negotiation => edit(name, (current) => omit(current, name));

function dropTemperature({ parameter }: Complaint, body: JsonObject): Negotiation | undefined {
	return parameter === "temperature" && body[parameter] !== undefined ? dropField(parameter) : undefined;
}

/** "Supported values are: 'low', 'medium', and 'high'." */
function parseSupportedEfforts(message: string): readonly string[] {
	const list = /supported values are:?([^.]*)/i.exec(message)?.[1] ?? "";
	return EFFORTS.filter((effort) => new RegExp(`['"\`]${effort}['"\`]`).test(list));
}

/** The least effort when no thinking was asked for; otherwise the most that is not above what was asked. */
function chooseEffort(supported: readonly string[], think: boolean): string | undefined {
	if (!think) return supported[0];
	const notAboveHigh = supported.filter((effort) => EFFORTS.indexOf(effort) <= EFFORTS.indexOf("high"));
	return notAboveHigh.at(-1) ?? supported[0];
}

function adjustReasoning(
	{ parameter, message }: Complaint,
	body: JsonObject,
	think: boolean,
): Negotiation | undefined {
	const reasoning = body["reasoning"];
	if (!isObject(reasoning) || !/^reasoning(\.|$)/.test(parameter)) return undefined;
	if (parameter === "reasoning.summary" || /verified to (?:generate|stream)[^.]*summar/i.test(message)) {
		return edit("reasoning.summary", (current) =>
			replaceReasoning(current, omit(asObject(current["reasoning"]), "summary")),
		);
	}
	const effort = chooseEffort(parseSupportedEfforts(message), think);
	if (effort !== undefined && effort !== reasoning["effort"]) {
		return edit(`reasoning.effort=${effort}`, (current) =>
			replaceReasoning(current, { ...asObject(current["reasoning"]), effort }),
		);
	}
	return dropField("reasoning");
}

function replaceReasoning(body: JsonObject, reasoning: JsonObject): JsonObject {
	return Object.keys(reasoning).length === 0 ? omit(body, "reasoning") : { ...body, reasoning };
}

function adjustEffort(
	{ parameter, message }: Complaint,
	body: JsonObject,
	think: boolean,
): Negotiation | undefined {
	if (parameter !== "reasoning_effort") return undefined;
	const current = body["reasoning_effort"];
	const effort = chooseEffort(parseSupportedEfforts(message), think);
	if (effort !== undefined && effort !== current) {
		return edit(`reasoning_effort=${effort}`, (later) => ({ ...later, reasoning_effort: effort }));
	}
	if (current !== undefined) return dropField("reasoning_effort");
	// Models that reason by default and refuse tools while they do.
	return edit("reasoning_effort=none", (later) => ({ ...later, reasoning_effort: "none" }));
}

function renameLimit({ parameter, message }: Complaint, body: JsonObject): Negotiation | undefined {
	const other = { max_tokens: "max_completion_tokens", max_completion_tokens: "max_tokens" }[parameter];
	const value = body[parameter];
	if (other === undefined || value === undefined || body["messages"] === undefined) return undefined;
	const maximum = parseMaximum(message);
	if (maximum !== undefined && maximum < asCount(value)) return clampLimit(parameter, maximum);
	if (!/unsupported|unknown|unrecognized|not supported|instead|extra inputs/i.test(message)) return undefined;
	return edit(`${parameter}->${other}`, (current) => ({
		...omit(current, parameter),
		[other]: current[parameter],
	}));
}

/** "max_tokens: 32000 > 8192, which is the maximum allowed number of output tokens" and its relatives. */
function parseMaximum(message: string): number | undefined {
	const match = /(?:> |at most |less than or equal to |maximum (?:of|is|value of) )(\d{2,7})/i.exec(message);
	return match === null ? undefined : Number(match[1]);
}

function clampLimit(parameter: string, maximum: number): Negotiation {
	return edit(`${parameter}=${maximum}`, (current) => {
		const thinking = asObject(current["thinking"]);
		const budget = asCount(thinking["budget_tokens"]);
		const smaller =
			budget >= maximum ? { thinking: { ...thinking, budget_tokens: Math.floor(maximum / 2) } } : {};
		return { ...current, [parameter]: maximum, ...smaller };
	});
}

function raiseMinimum({ parameter, message }: Complaint, body: JsonObject): Negotiation | undefined {
	if (parameter !== "max_output_tokens" || body[parameter] === undefined) return undefined;
	const maximum = parseMaximum(message);
	if (maximum !== undefined && maximum < asCount(body[parameter])) return clampLimit(parameter, maximum);
	if (asCount(body[parameter]) < MINIMUM_RESPONSES_TOKENS) {
		return edit("max_output_tokens=16", (current) => ({ ...current, [parameter]: MINIMUM_RESPONSES_TOKENS }));
	}
	return dropField(parameter);
}

function adjustThinking({ parameter, message }: Complaint, body: JsonObject): Negotiation | undefined {
	const thinking = asObject(body["thinking"]);
	if (thinking["type"] === undefined || !/^thinking(\.|$)/.test(parameter)) return undefined;
	if (thinking["type"] === "enabled" && /adaptive|budget|enabled/i.test(message)) {
		return edit("thinking=adaptive", (current) => ({
			...current,
			thinking: { type: "adaptive", display: "summarized" },
			output_config: { ...asObject(current["output_config"]), effort: "high" },
		}));
	}
	return dropField("thinking");
}

function weakenOutput({ parameter, message }: Complaint, body: JsonObject): Negotiation | undefined {
	const isAsked =
		body["response_format"] !== undefined ||
		asObject(body["text"])["format"] !== undefined ||
		asObject(body["output_config"])["format"] !== undefined;
	const isRefused = /^(response_format|text|output_config|output_format|json_schema)(\.|\[|$)/.test(
		parameter,
	);
	const isSchema = /response_format|json_schema|structured output|output_config|invalid schema/i.test(
		message,
	);
	return isAsked && (isRefused || isSchema) ? { kind: "weaker-output" } : undefined;
}

/** Optional fields that change nothing about the answer. */
function dropOptional({ parameter }: Complaint, body: JsonObject): Negotiation | undefined {
	const name = asText(/^(stream_options|include|tool_choice|store)\b/.exec(parameter)?.[1]);
	return name === "" || body[name] === undefined ? undefined : dropField(name);
}

const RULES: readonly Rule[] = [
	dropTemperature,
	adjustReasoning,
	adjustEffort,
	renameLimit,
	raiseMinimum,
	adjustThinking,
	weakenOutput,
	dropOptional,
];
