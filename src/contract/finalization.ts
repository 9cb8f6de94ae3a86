import { collapseSpace, defined, type JsonObject } from "@deputize/ground";
import { LIMITS } from "./limits.ts";
import type { JsonSchema } from "./tool.ts";

/** What a child hands over with `subagent_finalize`. */
export type Finalization =
	/** `data` is for agents with an `output` schema; `result` is then its JSON, unless the child wrote a text as well. */
	| { readonly status: "SUCCESS"; readonly result: string; readonly data?: unknown }
	| { readonly status: "ERROR"; readonly error: string; readonly result?: string };

export const FINALIZE_TOOL = "subagent_finalize";

/** The custom message our child extension adds when it tells the model to finalize. */
export const CORRECTION_MESSAGE = "deputize-correction";

type CheckedFinalization =
	| { readonly ok: true; readonly finalization: Finalization }
	| { readonly ok: false; readonly reason: string };

const NO_REASON = "The child reported an error and gave no reason.";

/** What is wrong with the data of an agent that has a schema for it; undefined when nothing is. */
export type CheckData = (data: unknown) => string | undefined;

/**
 * What a child passed to `subagent_finalize`, or what is wrong with it in words the child can act on. `checkData` is
 * there for agents with an `output` schema.
 */
export function checkFinalization(input: unknown, checkData?: CheckData): CheckedFinalization {
	if (typeof input !== "object" || input === null)
		return { ok: false, reason: "it was called without arguments" };
	const { status, data, ...written } = input as Readonly<Record<string, unknown>>;
	const result = readWords(written["result"]);
	const error = readWords(written["error"]);
	if (status === "SUCCESS" && checkData) return checkStructured(data, result ?? "", checkData);
	if (status === "SUCCESS") {
		return result === undefined
			? { ok: false, reason: "status SUCCESS needs a non-empty result" }
			: { ok: true, finalization: { status, result } };
	}
	if (status === "ERROR") {
		return error === undefined && result === undefined
			? { ok: false, reason: "status ERROR needs a non-empty error" }
			: { ok: true, finalization: { status, error: error ?? NO_REASON, ...defined({ result }) } };
	}
	return {
		ok: false,
		reason: `status must be "SUCCESS" or "ERROR", not ${JSON.stringify(status) ?? "missing"}`,
	};
}

function readWords(value: unknown): string | undefined {
	return typeof value === "string" && value.trim() !== "" ? value : undefined;
}

/** What a child wanted to hand over in a call that was refused; empty when it said nothing. */
export function readRefusedWords({ result, error, data }: JsonObject): string {
	const json = data === undefined ? undefined : JSON.stringify(data, undefined, 2);
	return [readWords(result), readWords(error), json].filter((part) => part !== undefined).join("\n\n");
}

function checkStructured(data: unknown, result: string, checkData: CheckData): CheckedFinalization {
	if (data === undefined) return { ok: false, reason: "status SUCCESS needs the answer in data" };
	const problem = checkData(data);
	if (problem !== undefined) return { ok: false, reason: `data does not match its schema: ${problem}` };
	const text = JSON.stringify(data, undefined, 2);
	if (text.length > LIMITS.maxOutputChars)
		return { ok: false, reason: `data is longer than ${LIMITS.maxOutputChars} characters` };
	return { ok: true, finalization: { status: "SUCCESS", result: result || text, data } };
}

/**
 * The parameters of `subagent_finalize` with `data`. A schema with references is described in words: they would point at
 * something else inside the parameters.
 */
export function addDataParameter(parameters: JsonSchema, output: JsonSchema): JsonSchema {
	const text = JSON.stringify(output);
	const data = text.includes('"$ref"')
		? { description: `The answer: JSON that is valid against this JSON Schema: ${text}` }
		: output;
	const properties = parameters["properties"] as Readonly<Record<string, object>>;
	const result = { type: "string", description: "A short text about the data, if it needs one." };
	return { ...parameters, properties: { ...properties, result, data } };
}

/** How a child hands over, in words for its model. */
export interface HandoverWords {
	/** What its prompt asks for. */
	readonly rule: string;
	/** What it is told if it did not hand over. */
	readonly again: string;
	readonly missing: string;
}

export function handOverByCalling(tool: string): HandoverWords {
	return {
		rule: `Your last action must be one call of ${tool}. Text outside of it is lost.${sayInstead(tool)}`,
		again: `Call ${tool} now, as your only action`,
		missing: `${tool} was not called`,
	};
}

/** Roles are written for the usual name. */
function sayInstead(tool: string): string {
	return tool === FINALIZE_TOOL ? "" : ` Where your role speaks of ${FINALIZE_TOOL}, that is meant.`;
}

export const HANDOVER_BY_TOOL = handOverByCalling(FINALIZE_TOOL);

/** For a child whose last message must match a schema. */
export const HANDOVER_BY_MESSAGE: HandoverWords = {
	rule: "Your last message must be a JSON object with the fields status, result and error, and nothing else; the field you do not need is an empty string. Other messages are lost. Where your role speaks of subagent_finalize, that message is meant.",
	again: "Answer now with that JSON object and nothing else",
	missing: "the last message was not the JSON object that was asked for",
};

const QUOTED_CHARS = 100;
const CORRECTION_START = "You have not handed over yet: ";

export const CONTINUE_WITH_OTHER_MODEL =
	"The model provider failed in the middle of this task. You are another model and continue it: the steps so far are above. Do what is still missing and hand over as described.";

/** Whether a message to a child is about the task before it, and none of its own. */
export function isFeedback(message: string): boolean {
	return message.startsWith(CORRECTION_START) || message === CONTINUE_WITH_OTHER_MODEL;
}

/** Why a child that takes messages literally cannot act on feedback. */
export const TASK_IS_MISSING =
	"The session does not contain the task that this message is about: delegate the task again.";

/**
 * The message to a child that settled without finalizing. `written` is the longest text it wrote instead: a model that
 * believes it has answered already hands over "see above" unless it is shown which text is missing.
 */
export function describeCorrection(
	reason: string,
	written = "",
	field: "result" | "data" = "result",
	words = HANDOVER_BY_TOOL,
): string {
	const problem = reason === NEVER_CALLED ? words.missing : reason;
	const text = collapseSpace(written);
	const missing =
		text === ""
			? ""
			: ` Your text that begins ${JSON.stringify(text.slice(0, QUOTED_CHARS))} (${written.length} characters) did not reach the caller: put all of it in ${field} instead of referring to it.`;
	return `${CORRECTION_START}${problem}.${missing} ${words.again}: status "SUCCESS" with the complete answer in ${field}, or status "ERROR" with the reason in error and what you found so far in result.`;
}

export const NEVER_CALLED = HANDOVER_BY_TOOL.missing;
