import { describe, expect, it } from "vitest";
import { BASE_PAYLOAD, runProgram } from "../helpers/loop-program.ts";
import {
	type Answer,
	anthropicText,
	chatText,
	responsesText,
	startScriptedServer,
	writeJson,
	writeSse,
} from "../helpers/loop-server.ts";

const SCHEMA = {
	type: "object",
	properties: { capital: { type: "string" }, country: { type: "string" } },
	required: ["capital", "country"],
	additionalProperties: false,
};
const JSON_TEXT = '{"capital":"Paris","country":"France"}';
const FIELDS = { output_mode: "json_schema", output_schema: SCHEMA };

const SEED_SSE = `event: output_structured
data: {"id":"","delta":"{\\"capital\\":\\"Paris\\",\\"country\\":\\"France\\"}","type":"output_structured"}

event: response_end
data: {"id":"","delta":"","type":"response_end"}

`;
const SEED_PLAIN = `{"capital":"Paris","country":"France"}

=== [ DONE ] ===
`;

const chat =
	(text: string): Answer =>
	(response) =>
		writeSse(response, chatText(text));

async function ask(answers: Answer | Answer[], fields: object = {}, args: string[] = []) {
	const server = await startScriptedServer(answers);
	const ending = await runProgram(
		{ ...BASE_PAYLOAD, provider: "openai-chat", url: server.url, ...FIELDS, ...fields },
		{ args },
	);
	await server.close();
	return { ...ending, bodies: server.requests.map(({ body }) => body) };
}

describe("structured output", () => {
	const texts: [string, (text: string) => (object | string)[]][] = [
		["openai-chat", chatText],
		["openai-responses", responsesText],
		["anthropic", anthropicText],
		["vertexai-anthropic", anthropicText],
	];
	it.each(texts)("is the seed's SSE example to the byte: %s", async (provider, toEvents) => {
		const ending = await ask((response) => writeSse(response, toEvents(JSON_TEXT)), { provider });
		expect(ending.stderr).toBe("");
		expect(ending.stdout).toBe(SEED_SSE);
	});

	it("is the seed's plain example to the byte", async () => {
		const ending = await ask(chat(JSON_TEXT), {}, ["--plain"]);
		expect(ending.stdout).toBe(SEED_PLAIN);
		expect(ending.exitCode).toBe(0);
	});

	it("sends a schema that conforms exactly as it was given", async () => {
		const { bodies } = await ask(chat(JSON_TEXT), { output_name: "answer" });
		expect(JSON.stringify(bodies[0]?.["response_format"])).toBe(
			`{"type":"json_schema","json_schema":{"name":"answer","schema":${JSON.stringify(SCHEMA)},"strict":true}}`,
		);
	});

	it("makes an optional property nullable on the way out and absent on the way back", async () => {
		const schema = {
			type: "object",
			properties: { capital: { type: "string" }, motto: { type: "string" } },
			required: ["capital"],
		};
		const { bodies, events } = await ask(chat('{"capital":"Paris","motto":null}'), { output_schema: schema });
		expect(bodies[0]?.["response_format"]).toMatchObject({
			json_schema: {
				strict: true,
				schema: {
					properties: { motto: { type: ["string", "null"] } },
					required: ["capital", "motto"],
					additionalProperties: false,
				},
			},
		});
		expect(events[0]?.data.delta).toBe('{"capital":"Paris"}');
	});

	it("keeps numbers that JavaScript cannot hold", async () => {
		const schema = {
			type: "object",
			properties: { n: { type: "integer" } },
			required: ["n"],
			additionalProperties: false,
		};
		const { events } = await ask(chat('{"n": 12345678901234567890}'), { output_schema: schema });
		expect(events[0]?.data.delta).toBe('{"n": 12345678901234567890}');
	});

	it("wraps a schema that is not an object and unwraps the answer", async () => {
		const schema = { type: "array", items: { type: "string" } };
		const { bodies, events } = await ask(chat('{"value":["a"]}'), { output_schema: schema });
		expect(bodies[0]?.["response_format"]).toMatchObject({
			json_schema: { schema: { type: "object", required: ["value"] } },
		});
		expect(events[0]?.data.delta).toBe('["a"]');
	});

	it("is corrected once, with what the validator says", async () => {
		const ending = await ask([chat('{"capital":7}'), chat(JSON_TEXT)]);
		expect(ending.stdout).toBe(SEED_SSE);
		const messages = ending.bodies[1]?.["messages"] as { role: string; content: string }[];
		expect(messages.at(-2)).toEqual({ role: "assistant", content: '{"capital":7}' });
		expect(messages.at(-1)?.role).toBe("user");
		expect(messages.at(-1)?.content).toMatch(/country/);
		expect(messages.at(-1)?.content).toMatch(/capital.*number|capital.*string/s);
	});

	it("is an error after the second wrong answer, and nothing is put out", async () => {
		const ending = await ask([chat("Paris, of course."), chat('{"capital":7}')]);
		expect(ending.exitCode).toBe(1);
		expect(ending.error?.code).toBe("invalid_output");
		expect(ending.bodies).toHaveLength(2);
		expect(ending.events.map(({ event }) => event)).toEqual(["error", "response_end"]);
	});

	it("finds the JSON in a fence and in prose", async () => {
		expect((await ask(chat(`Here:\n\`\`\`json\n${JSON_TEXT}\n\`\`\``))).stdout).toBe(SEED_SSE);
		expect((await ask(chat(`The answer is ${JSON_TEXT}, I think.`))).stdout).toBe(SEED_SSE);
	});

	it("is never repaired from an answer that was cut", async () => {
		const cut: Answer = (response) =>
			writeSse(response, [
				{ id: "c", choices: [{ delta: { content: '{"capital":"Par' }, finish_reason: null }] },
				{ id: "c", choices: [{ delta: {}, finish_reason: "length" }] },
			]);
		const ending = await ask(cut);
		expect(ending.error?.code).toBe("output_limit");
		expect(ending.bodies).toHaveLength(1);
		expect(ending.events.map(({ event }) => event)).toEqual(["error", "response_end"]);
	});

	it("steps down when the server knows no schemas, then no modes at all", async () => {
		const refuse: Answer = (response, request) => {
			const format = request.body["response_format"] as { type: string } | undefined;
			if (format !== undefined) {
				return writeJson(response, 400, {
					error: {
						message: `Invalid parameter: 'response_format' of type '${format.type}' is not supported with this model.`,
						param: "response_format",
						code: null,
					},
				});
			}
			writeSse(response, chatText(JSON_TEXT));
		};
		const ending = await ask(refuse);
		expect(ending.stdout).toBe(SEED_SSE);
		expect(
			ending.bodies.map((body) => (body["response_format"] as { type: string } | undefined)?.type),
		).toEqual(["json_schema", "json_object", undefined]);
		expect(JSON.stringify(ending.bodies[2]?.["messages"])).toContain("JSON Schema");
	});

	it("asks Anthropic in words for what its grammar cannot hold", async () => {
		const tree = { type: "object", properties: { child: { $ref: "#" } }, additionalProperties: false };
		const ending = await ask((response) => writeSse(response, anthropicText('{"child":{}}')), {
			provider: "anthropic",
			output_schema: tree,
		});
		expect(ending.events[0]?.data.delta).toBe('{"child":{}}');
		expect(ending.bodies[0]?.["output_config"]).toBeUndefined();
		expect(ending.bodies[0]?.["system"]).toContain("JSON Schema");
	});

	it("json_object: says the word json where nobody did, and refuses what is not an object", async () => {
		const object = { output_mode: "json_object", output_schema: null };
		const good = await ask(chat('{"a":1}'), object);
		expect(good.bodies[0]?.["response_format"]).toEqual({ type: "json_object" });
		expect(JSON.stringify(good.bodies[0]?.["messages"])).toMatch(/json/i);
		expect(good.events[0]?.data.delta).toBe('{"a":1}');
		const bad = await ask(chat("[1]"), object);
		expect(bad.error?.code).toBe("invalid_output");
	});

	it("refuses a schema that cannot be used before anything is sent", async () => {
		const ending = await ask(chat(JSON_TEXT), {
			output_schema: { type: "object", properties: { a: { $ref: "#/$defs/none" } }, required: ["a"] },
		});
		expect(ending.exitCode).toBe(2);
		expect(ending.error?.message).toContain("output_schema");
		expect(ending.bodies).toHaveLength(0);
	});
});
