import { addDataParameter } from "../../contract/finalization.ts";
import type { ChildPlan } from "../../contract/plan.ts";
import type { JsonSchema } from "../../contract/tool.ts";

/** Every field is required, because some providers enforce only such schemas; the unused one stays empty. */
const SCHEMA = {
	type: "object",
	properties: {
		status: { type: "string", enum: ["SUCCESS", "ERROR"] },
		result: {
			type: "string",
			description: "The complete answer in Markdown; on ERROR what was found so far",
		},
		error: { type: "string", description: "Why it was not possible; empty on SUCCESS" },
	},
	required: ["status", "result", "error"],
	additionalProperties: false,
};

/** What a child hands over, including the agent's own data. */
export function buildHandoverSchema({ agent }: Pick<ChildPlan, "agent">): JsonSchema {
	return agent.output === undefined ? SCHEMA : addDataParameter(SCHEMA, agent.output);
}
