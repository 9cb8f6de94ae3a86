import { describe, expect, it } from "vitest";
import { checkModel } from "../../../src/delegation/check-model.ts";

const KNOWN = [
	"anthropic/claude-sonnet-4-5",
	"anthropic/claude-sonnet-4-5-20250929",
	"anthropic/claude-opus-4-5",
	"openai/gpt-5.5",
	"openrouter/gpt-5.5",
	"openrouter/meta/llama-4",
];

describe("checkModel", () => {
	it.each([
		"anthropic/claude-opus-4-5",
		"openrouter/meta/llama-4",
		"anthropic/claude-opus-4-5:high",
		"claude-opus-4-5",
		"opus",
	])("accepts %s", (name) => {
		expect(checkModel(name, KNOWN)).toBeUndefined();
	});

	it("names what was probably meant, the shortest first", () => {
		expect(checkModel("sonnet", KNOWN)).toContain(
			'"sonnet". Did you mean anthropic/claude-sonnet-4-5, anthropic/claude-sonnet-4-5-20250929?',
		);
		expect(checkModel("anthropic/claude-sonet-4-5", KNOWN)).toContain("Did you mean anthropic/claude-");
	});

	it("names one that is spelled almost like it", () => {
		expect(checkModel("openrouter/meta/lamma-4", KNOWN)).toContain("Did you mean openrouter/meta/llama-4?");
		expect(checkModel("openai/gtp-5.5", KNOWN)).toContain("Did you mean openai/gpt-5.5, openrouter/gpt-5.5?");
	});

	it("asks for the provider when several serve the same id", () => {
		expect(checkModel("gpt-5.5", KNOWN)).toContain(
			'more than one provider serves "gpt-5.5". Did you mean openai/gpt-5.5, openrouter/gpt-5.5?',
		);
	});

	it("shows some of what there is when nothing is near", () => {
		expect(checkModel("zephyr", KNOWN)).toBe(
			`pi has no such model, or no credentials for it: "zephyr". What is there: ${KNOWN.slice(0, 5).join(", ")} and 1 more. Name it as provider/id.`,
		);
	});

	it("refuses nobody because the list is not known", () => {
		expect(checkModel("sonnet", [])).toBeUndefined();
	});
});
