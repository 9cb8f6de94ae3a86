import { type ScriptedServer, startScriptedServer, writeJson, writeSse } from "./loop-server.ts";

interface SeedBody {
	readonly input: readonly {
		readonly type?: string;
		readonly tool_call_id?: string;
		readonly content?: string;
	}[];
	readonly previous_response_id?: string;
}

/** A server that speaks the seed's own dialect and nothing else: `tool_call` items, answered by item id. */
export async function startSeedServer(tool: { name: string; args: object }): Promise<ScriptedServer> {
	return await startScriptedServer((response, request) => {
		const body = request.body as unknown as SeedBody;
		const { input } = body;
		if (body.previous_response_id === undefined) {
			const text = JSON.stringify(tool.args);
			return writeSse(response, [
				{ type: "response.created", response: { id: "resp_seed" } },
				{ type: "response.reasoning_summary_text.delta", delta: "thinking" },
				{ type: "response.output_item.added", item: { type: "tool_call", id: "tc_7", name: tool.name } },
				{ type: "response.tool_call_arguments.delta", item_id: "tc_7", delta: text.slice(0, 4) },
				{ type: "response.tool_call_arguments.delta", item_id: "tc_7", delta: text.slice(4) },
				{
					type: "response.output_item.done",
					item: { type: "tool_call", id: "tc_7", name: tool.name, arguments: text },
				},
				{ type: "response.completed", response: { id: "resp_seed" } },
			]);
		}
		const [item] = input;
		const isRight =
			body.previous_response_id === "resp_seed" &&
			input.length === 1 &&
			item?.["type"] === "tool_result" &&
			item.tool_call_id === "tc_7" &&
			typeof item.content === "string";
		if (!isRight) return writeJson(response, 400, { error: { message: "not the seed's continuation" } });
		writeSse(response, [
			{ type: "response.created", response: { id: "resp_seed_2" } },
			{ type: "response.output_text.delta", delta: `The tool said: ${item.content.slice(0, 2000)}` },
			{ type: "response.completed", response: { id: "resp_seed_2" } },
		]);
	});
}
