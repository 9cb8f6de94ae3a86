import { expect, it } from "vitest";
import { canUseModel, keepUsable } from "../../../src/runtimes/can-use-model.ts";
import { parseChildGrant } from "../../../src/runtimes/child-grant.ts";

const GRANT = { tools: ["read"], finalize: { mode: "required", maxCorrections: 1 }, runDirectory: "/run" };

it("takes a grant as the parent wrote it", () => {
	expect(parseChildGrant(JSON.stringify(GRANT))).toEqual(GRANT);
});

it.each([
	[undefined],
	[""],
	["null"],
	["[]"],
	["{"],
	[JSON.stringify({ ...GRANT, tools: "read" })],
	[JSON.stringify({ ...GRANT, finalize: {} })],
	[JSON.stringify({ ...GRANT, runDirectory: undefined })],
])("is no grant without everything the child enforces: %s", (text) => {
	expect(parseChildGrant(text)).toBeUndefined();
});

it("asks the program of another agent for its own models only", () => {
	expect(canUseModel("claude", "anthropic/x")).toBe(true);
	expect(canUseModel("claude", "sonnet")).toBe(true);
	expect(canUseModel("claude", "openai/x")).toBe(false);
	expect(canUseModel("pi", "openai/x")).toBe(true);
	expect(keepUsable("codex", "anthropic/a, openai/b,openai-codex/c,d")).toBe(" openai/b,openai-codex/c,d");
});
