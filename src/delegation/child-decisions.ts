import type { AgentDefinition } from "../contract/agent.ts";
import type { ChosenModel } from "./choose-model.ts";
import type { GrantedTools } from "./filter-tools.ts";
import type { Skill } from "./find-skills.ts";

/** All decisions about a child that do not depend on its task or session. */
export interface ChildDecisions {
	readonly agent: AgentDefinition;
	readonly granted: GrantedTools;
	readonly skills: readonly Skill[];
	readonly model: ChosenModel;
}
