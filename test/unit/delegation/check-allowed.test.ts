import { expect, it } from "vitest";
import { DEFAULT_CONFIG } from "../../../src/contract/config.ts";
import { checkAllowed } from "../../../src/delegation/check-allowed.ts";

const config = { ...DEFAULT_CONFIG.subagents, maxDepth: 2 };

it.each([
	["below the depth", config, 1, undefined],
	[
		"at the depth",
		config,
		2,
		"SUBAGENT_DEPTH_EXCEEDED: A subagent cannot delegate further: this process is at depth 2 and subagents.maxDepth is 2. Do the task here.",
	],
	[
		"where subagents are switched off",
		{ ...config, enabled: false },
		0,
		"SUBAGENTS_DISABLED: Subagents are switched off. Set subagents.enabled to true in deputize.json to use them.",
	],
])("a delegation %s", (_name, settings, depth, refusal) => {
	const check = () => checkAllowed(settings, depth);
	if (refusal === undefined) expect(check).not.toThrow();
	else {
		const [code, message] = refusal.split(/: (.*)/s);
		expect(check).toThrow(expect.objectContaining({ code, message }));
	}
});
