import type { RuntimeName } from "../contract/agent.ts";
import {
	HANDOVER_BY_MESSAGE,
	HANDOVER_BY_TOOL,
	type HandoverWords,
	handOverByCalling,
} from "../contract/finalization.ts";
import type { ChildPlan } from "../contract/plan.ts";
import { CLAUDE_HANDOVER_TOOL, nameClaudeTools } from "./claude/claude-tools.ts";
import { nameCodexTools } from "./codex/codex-tools.ts";

/** What the prompt of a child calls things; the programs of other agents have names of their own. */
interface ChildWords {
	readonly handover: HandoverWords;
	nameTools(granted: Pick<ChildPlan, "tools" | "worksInLayer">): readonly string[];
}

const OWN: ChildWords = { handover: HANDOVER_BY_TOOL, nameTools: ({ tools }) => tools };

export const CHILD_WORDS: Readonly<Record<RuntimeName, ChildWords>> = {
	pi: OWN,
	loop: OWN,
	claude: { handover: handOverByCalling(CLAUDE_HANDOVER_TOOL), nameTools: nameClaudeTools },
	codex: { handover: HANDOVER_BY_MESSAGE, nameTools: nameCodexTools },
};
