import { describe, expect, it } from "vitest";
import { planStructuredOutput } from "../../../../src/loop/structured/plan-output.ts";

const plan = (schema: Record<string, unknown>) =>
	planStructuredOutput(
		{ mode: "json_schema", schema, name: "answer" },
		{ provider: "openai-chat", systemPrompt: "", prompt: "List them." },
	);
const LIST = { type: "array", items: { type: "string" } };

describe("a schema whose root is no object", () => {
	it("is asked for and unwrapped", async () => {
		const { describe: ask, check } = await plan(LIST);
		expect(ask("native").output).toMatchObject({ schema: { type: "object", required: ["value"] } });
		expect(await check('{"value":["a"]}')).toEqual({ json: '["a"]' });
	});

	it("takes the bare value of a model that was told in words", async () => {
		expect(await (await plan(LIST)).check('["a"]')).toEqual({ json: '["a"]' });
	});

	it.each(['{"value":"a"}', '{"items":["a"]}', "no JSON at all"])(
		"is corrected in the words it was asked in: %s",
		async (answer) => {
			const checked = await (await plan(LIST)).check(answer);
			expect(checked).toHaveProperty("problem");
			const problem = "problem" in checked ? checked.problem : "";
			expect(problem).toContain('a JSON object whose only field is "value"');
			expect(problem).not.toMatch(/^the answer:.*Expected "array"/);
		},
	);
});

describe("a schema whose root is an object", () => {
	const schema = { type: "object", properties: { n: { type: "integer" } }, required: ["n"] };

	it("keeps the text word for word, and says what is wrong", async () => {
		const { check } = await plan(schema);
		expect(await check('{"n": 12345678901234567890}')).toEqual({ json: '{"n": 12345678901234567890}' });
		expect(await check('{"n":"x"}')).toMatchObject({ problem: expect.stringContaining("/n") });
		expect(await check("prose")).toEqual({ problem: "it is not JSON." });
	});
});
