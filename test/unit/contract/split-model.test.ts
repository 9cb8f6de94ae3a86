import { expect, it } from "vitest";
import { splitModel } from "../../../src/contract/split-model.ts";

it.each([
	["anthropic/claude-x", "anthropic", "claude-x"],
	["openrouter/vendor/model", "openrouter", "vendor/model"],
	["alone", "", "alone"],
	["/odd", "", "odd"],
	["", "", ""],
])("splits %j at the first slash", (model, provider, name) => {
	expect(splitModel(model)).toEqual({ provider, name });
});
