import {
	type RecordedRequest,
	type ScriptedServer,
	startScriptedServer,
	writeJson,
	writeSse,
} from "./loop-server.ts";

export interface StrictRules {
	/** Efforts this model knows; `none` is not always among them. */
	readonly efforts: readonly string[];
	readonly acceptsTemperature: boolean;
	readonly organizationVerified: boolean;
}

const GPT5: StrictRules = {
	efforts: ["low", "medium", "high"],
	acceptsTemperature: false,
	organizationVerified: false,
};

const INPUT_TYPES = ["message", "function_call", "function_call_output", "reasoning", "item_reference"];

function refusal(message: string, param: string | null, code: string, type = "invalid_request_error") {
	return { error: { message, type, param, code } };
}

interface InputItem {
	readonly type?: string;
	readonly id?: string;
	readonly call_id?: string;
	readonly arguments?: string;
	readonly output?: string;
	readonly encrypted_content?: string;
}

interface ResponsesBody {
	readonly input?: readonly InputItem[];
	readonly tools?: readonly { readonly name?: string }[];
	readonly previous_response_id?: string;
	readonly temperature?: number;
	readonly reasoning?: { readonly effort?: string; readonly summary?: string };
	readonly max_output_tokens?: number;
}

/** What the real Responses API refuses, in its order, with its words. */
export function findStrictProblem(
	body: ResponsesBody,
	rules: StrictRules,
): { status: number; body: object } | undefined {
	for (const [index, tool] of (body.tools ?? []).entries()) {
		if (typeof tool.name !== "string") {
			return {
				status: 400,
				body: refusal(
					`Missing required parameter: 'tools[${index}].name'.`,
					`tools[${index}].name`,
					"missing_required_parameter",
				),
			};
		}
	}
	for (const [index, item] of (body.input ?? []).entries()) {
		if (item.type !== undefined && !INPUT_TYPES.includes(item.type)) {
			return {
				status: 400,
				body: refusal(
					`Invalid value: '${item.type}'. Supported values are: ${INPUT_TYPES.map((name) => `'${name}'`).join(", ")}.`,
					`input[${index}].type`,
					"invalid_value",
				),
			};
		}
		if (item.id !== undefined) {
			return {
				status: 404,
				body: refusal(
					`Item with id '${item.id}' not found. Items are not persisted when \`store\` is set to false. Try again with \`store\` set to true, or remove this item from your input.`,
					"input",
					"not_found",
				),
			};
		}
	}
	if (body.previous_response_id !== undefined) {
		return {
			status: 400,
			body: refusal(
				`Previous response with id '${body.previous_response_id}' not found.`,
				"previous_response_id",
				"previous_response_not_found",
			),
		};
	}
	if (body.temperature !== undefined && !rules.acceptsTemperature) {
		return {
			status: 400,
			body: refusal(
				"Unsupported parameter: 'temperature' is not supported with this model.",
				"temperature",
				"unsupported_parameter",
			),
		};
	}
	const effort = body.reasoning?.effort;
	if (effort !== undefined && rules.efforts.length === 0) {
		return {
			status: 400,
			body: refusal(
				"Unsupported parameter: 'reasoning.effort' is not supported with this model.",
				"reasoning.effort",
				"unsupported_parameter",
			),
		};
	}
	if (effort !== undefined && !rules.efforts.includes(effort)) {
		const list = rules.efforts.map((name) => `'${name}'`);
		return {
			status: 400,
			body: refusal(
				`Unsupported value: '${effort}' is not supported with the 'gpt-5' model. Supported values are: ${list.slice(0, -1).join(", ")}, and ${list.at(-1)}.`,
				"reasoning.effort",
				"unsupported_value",
			),
		};
	}
	if (body.reasoning?.summary !== undefined && !rules.organizationVerified) {
		return {
			status: 400,
			body: refusal(
				"Your organization must be verified to generate reasoning summaries. Please go to: https://platform.openai.com/settings/organization/general and click on Verify Organization.",
				"reasoning.summary",
				"unsupported_value",
			),
		};
	}
	if (typeof body.max_output_tokens === "number" && body.max_output_tokens < 16) {
		return {
			status: 400,
			body: refusal(
				`Invalid 'max_output_tokens': integer below minimum value. Expected a value >= 16, but got ${body.max_output_tokens} instead.`,
				"max_output_tokens",
				"integer_below_min_value",
			),
		};
	}
	return undefined;
}

/** Two turns: it asks for one tool, and answers with what the tool said. Refuses what the real API refuses. */
export async function startStrictOpenai(
	tool: { name: string; args: object },
	rules: StrictRules = GPT5,
): Promise<ScriptedServer> {
	return await startScriptedServer((response, request: RecordedRequest) => {
		const body = request.body as ResponsesBody;
		const problem = findStrictProblem(body, rules);
		if (problem !== undefined) return writeJson(response, problem.status, problem.body);
		const input = body.input ?? [];
		const output = input.find((item) => item.type === "function_call_output");
		if (output === undefined) return writeSse(response, functionCallTurn(tool));
		const call = input.find((item) => item.type === "function_call");
		if (
			call?.["call_id"] !== "call_A" ||
			output.call_id !== "call_A" ||
			call.arguments !== JSON.stringify(tool.args)
		) {
			return writeJson(
				response,
				400,
				refusal(
					"No tool call found for function call output with call_id call_A.",
					"input",
					"invalid_request",
				),
			);
		}
		if (!input.some((item) => item.type === "reasoning" && item.encrypted_content === "ENC")) {
			return writeJson(
				response,
				400,
				refusal(
					"function_call was provided without its required reasoning item.",
					"input",
					"invalid_request",
				),
			);
		}
		writeSse(response, answerTurn(`The tool said: ${String(output.output).slice(0, 2000)}`));
	});
}

function functionCallTurn(tool: { name: string; args: object }): object[] {
	const text = JSON.stringify(tool.args);
	const call = { id: "fc_1", type: "function_call", call_id: "call_A", name: tool.name, status: "completed" };
	return [
		{
			type: "response.created",
			sequence_number: 0,
			response: { id: "resp_1", status: "in_progress", output: [] },
		},
		{
			type: "response.output_item.added",
			output_index: 0,
			item: { id: "rs_1", type: "reasoning", summary: [] },
		},
		{
			type: "response.output_item.done",
			output_index: 0,
			item: { id: "rs_1", type: "reasoning", summary: [], encrypted_content: "ENC" },
		},
		{
			type: "response.output_item.added",
			output_index: 1,
			item: { ...call, arguments: "", status: "in_progress" },
		},
		{
			type: "response.function_call_arguments.delta",
			item_id: "fc_1",
			output_index: 1,
			delta: text.slice(0, 3),
			obfuscation: "x",
		},
		{
			type: "response.function_call_arguments.delta",
			item_id: "fc_1",
			output_index: 1,
			delta: text.slice(3),
			obfuscation: "y",
		},
		{ type: "response.function_call_arguments.done", item_id: "fc_1", output_index: 1, arguments: text },
		{ type: "response.output_item.done", output_index: 1, item: { ...call, arguments: text } },
		{
			type: "response.completed",
			response: {
				id: "resp_1",
				status: "completed",
				output: [],
				usage: { input_tokens: 30, output_tokens: 12, input_tokens_details: { cached_tokens: 10 } },
			},
		},
	];
}

function answerTurn(text: string): object[] {
	const message = { id: "msg_1", type: "message", role: "assistant", content: [] as object[] };
	return [
		{ type: "response.created", response: { id: "resp_2", status: "in_progress" } },
		{ type: "response.output_item.added", output_index: 0, item: message },
		{ type: "response.output_text.delta", item_id: "msg_1", output_index: 0, content_index: 0, delta: text },
		{
			type: "response.output_item.done",
			output_index: 0,
			item: { ...message, content: [{ type: "output_text", text, annotations: [] }] },
		},
		{
			type: "response.completed",
			response: { id: "resp_2", status: "completed", usage: { input_tokens: 50, output_tokens: 20 } },
		},
	];
}
