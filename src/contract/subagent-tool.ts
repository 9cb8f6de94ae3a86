import type { JsonSchema } from "./tool.ts";

export const SUBAGENT_TOOL = "subagent";

/** Every word of this goes into every request of the parent. */
export const SUBAGENT_DESCRIPTION =
	"Run a specialist agent on one task and get its final answer. It sees nothing of this conversation: task must hold the goal, paths and facts it needs, and the answer you want.";

export const SUBAGENT_PARAMETERS: JsonSchema = {
	type: "object",
	properties: {
		agent: { type: "string", minLength: 1, description: "Agent name" },
		task: { type: "string", minLength: 1 },
		sessionId: { type: "string", description: "UUID from an earlier result, to continue it" },
	},
	required: ["agent", "task"],
	additionalProperties: false,
};
