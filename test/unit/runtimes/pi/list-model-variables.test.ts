import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { findModelProvider, listModelVariables } from "../../../../src/runtimes/pi/list-model-variables.ts";
import { createTestHome, type TestHome } from "../../../helpers/test-home.ts";

let home: TestHome;
beforeEach(() => {
	home = createTestHome();
});
afterEach(() => home.remove());

const place = (env: Record<string, string> = {}) => ({ env, agentDirectory: home.agentDirectory });
const KEYS = { ANTHROPIC_API_KEY: "a", OPENAI_API_KEY: "o", GROQ_API_KEY: "g" };

describe("the variables of a model", () => {
	it("are those of its provider", () => {
		const names = listModelVariables("openai/gpt-5.5", place(KEYS));
		expect(names).toContain("OPENAI_API_KEY");
		expect(names).not.toContain("ANTHROPIC_API_KEY");
	});

	it("are none for the embedded navigator", () => {
		expect(listModelVariables("offline/navigator", place(KEYS))).toEqual([]);
	});

	it("follow pi's default when no model is named: the saved one, else the first with a key", () => {
		expect(findModelProvider(undefined, place(KEYS))).toBe("anthropic");
		home.write(`${home.agentDirectory}/settings.json`, '{"defaultProvider":"groq","defaultModel":"x"}');
		expect(findModelProvider(undefined, place(KEYS))).toBe("groq");
		expect(findModelProvider(undefined, place({ OPENAI_API_KEY: "o" }))).toBe("openai");
	});

	it("are those of every usable provider when only pi knows whose model it is", () => {
		expect(findModelProvider("sonnet", place(KEYS))).toBeUndefined();
		expect(listModelVariables("sonnet", place(KEYS))).toEqual(
			expect.arrayContaining(["ANTHROPIC_API_KEY", "OPENAI_API_KEY", "GROQ_API_KEY"]),
		);
		expect(listModelVariables("sonnet", place(KEYS))).not.toContain("MISTRAL_API_KEY");
	});

	it("include what models.json names for this provider, and not for another", () => {
		home.write(
			`${home.agentDirectory}/models.json`,
			JSON.stringify({
				providers: {
					acme: { apiKey: "ACME_SPECIAL", headers: { "x-org": "Bearer ${ACME_ORG}" } },
					other: { apiKey: "$OTHER_KEY" },
				},
			}),
		);
		const names = listModelVariables("acme/fast", place());
		expect(names).toEqual(expect.arrayContaining(["ACME_SPECIAL", "ACME_ORG", "ACME_API_KEY"]));
		expect(names).not.toContain("OTHER_KEY");
	});
});
