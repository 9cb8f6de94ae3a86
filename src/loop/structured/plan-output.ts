import { asObject, createValidator, defined, isObject, type ValidateValue } from "@deputize/ground";
import type { LoopProviderName } from "../../contract/loop-providers.ts";
import type { JsonSchema } from "../../contract/tool.ts";
import { badInput } from "../loop-error.ts";
import type { LoopPayload, OutputRequest } from "../parse-payload.ts";
import type { NativeOutput } from "../providers/provider.ts";
import type { CheckAnswer } from "../run-loop.ts";
import type { TurnSender } from "../turn-sender.ts";
import { dropAddedNulls } from "./drop-added-nulls.ts";
import { extractJson } from "./extract-json.ts";
import { normalizeSchema, type SchemaTarget } from "./normalize-schema.ts";

export interface OutputPlan {
	/** What to put into the request at a level of support. */
	readonly describe: TurnSender["describeTurn"];
	readonly check: CheckAnswer;
}

type PlanContext = Pick<LoopPayload, "provider" | "systemPrompt" | "prompt">;

/** How to ask this provider for JSON, and how to judge what comes back. */
export async function planStructuredOutput(
	request: OutputRequest,
	context: PlanContext,
): Promise<OutputPlan> {
	if (context.provider === "offline") {
		throw badInput("invalid_payload", 'Invalid payload: "output_mode" needs a model; provider is "offline".');
	}
	return request.mode === "json_object" ? planObject(context) : await planSchema(request, context);
}

const isAnthropic = (provider: LoopProviderName) =>
	provider === "anthropic" || provider === "vertexai-anthropic";

function joinPrompts(systemPrompt: string, addition: string): string {
	return [systemPrompt, addition].filter((part) => part !== "").join("\n\n");
}

function planObject(context: PlanContext): OutputPlan {
	const instruction = "Answer with one JSON object and nothing else.";
	// OpenAI refuses this mode when the word is nowhere in the conversation.
	const isSaid = /json/i.test(context.systemPrompt) || /json/i.test(context.prompt);
	return {
		describe: (level) =>
			level === "prompt" || isAnthropic(context.provider)
				? { system: joinPrompts(context.systemPrompt, instruction) }
				: {
						system: isSaid ? context.systemPrompt : joinPrompts(context.systemPrompt, instruction),
						output: { mode: "json_object" },
					},
		async check(answer) {
			const found = extractJson(answer);
			if (found === undefined) return { problem: "it is not JSON." };
			if (!isObject(found.value)) return { problem: "it is not a JSON object." };
			return { json: found.text };
		},
	};
}

async function planSchema(
	request: Extract<OutputRequest, { mode: "json_schema" }>,
	context: PlanContext,
): Promise<OutputPlan> {
	const wrapped = request.schema["type"] !== "object";
	const asked = wrapped ? wrapInValue(request.schema) : request.schema;
	const validate = await createValidator(asked).catch((error: Error) => {
		throw badInput("invalid_payload", `Invalid payload: "output_schema" cannot be used: ${error.message}`);
	});
	const native = chooseNative(asked, request.name, isAnthropic(context.provider) ? "anthropic" : "openai");
	const instruction = `Answer with JSON that is valid against this JSON Schema, and nothing else:\n${JSON.stringify(asked)}`;
	return {
		describe(level) {
			if (level === "native" && native !== undefined) return { system: context.systemPrompt, output: native };
			const system = joinPrompts(context.systemPrompt, instruction);
			const canAskForObject = level !== "prompt" && !isAnthropic(context.provider);
			return canAskForObject ? { system, output: { mode: "json_object" } } : { system };
		},
		check: createSchemaCheck(asked, validate, wrapped),
	};
}

/** Providers want an object at the top. References keep pointing at the definitions, which move to the top with it. */
function wrapInValue(schema: JsonSchema): JsonSchema {
	const { $defs, definitions, $schema, ...inner } = schema;
	return {
		...defined({ $schema }),
		type: "object",
		properties: { value: inner },
		required: ["value"],
		additionalProperties: false,
		...defined({ $defs, definitions }),
	};
}

function chooseNative(schema: JsonSchema, name: string, target: SchemaTarget): NativeOutput | undefined {
	const normalized = normalizeSchema(schema, target);
	if (normalized !== undefined) {
		// Equal means it conforms: then the very object of the caller is sent.
		const isEqual = JSON.stringify(normalized) === JSON.stringify(schema);
		return { mode: "json_schema", name, schema: isEqual ? schema : normalized, strict: true };
	}
	return target === "openai" ? { mode: "json_schema", name, schema, strict: false } : undefined;
}

/** `wrapped`: the caller gets the bare value. The model is asked for an object around it, and corrected in the same words. */
function createSchemaCheck(asked: JsonSchema, validate: ValidateValue, wrapped: boolean): CheckAnswer {
	const advice = wrapped
		? ' Answer with a JSON object whose only field is "value", with the answer in it.'
		: "";
	return async (answer) => {
		const found = extractJson(answer);
		if (found === undefined) return { problem: `it is not JSON.${advice}` };
		// A model that got only a description may answer with the bare value.
		const isBare = wrapped && !(isObject(found.value) && "value" in found.value);
		const whole = isBare ? { value: found.value } : found.value;
		const isValid = validate(whole) === undefined;
		// Word for word where possible: parsing and writing again would change large numbers.
		if (isValid && isBare === wrapped) return { json: found.text };
		const cleaned = isValid ? whole : dropAddedNulls(whole, asked);
		const problem = isValid ? undefined : validate(cleaned);
		if (problem !== undefined) return { problem: `${problem}${advice}` };
		return { json: JSON.stringify(wrapped ? asObject(cleaned)["value"] : cleaned) };
	};
}
