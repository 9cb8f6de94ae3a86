import { CLAUDE_PROGRAM } from "./claude/claude-program.ts";
import { CODEX_PROGRAM } from "./codex/codex-program.ts";
import type { AgentProgram } from "./program/agent-program.ts";

export const AGENT_PROGRAMS: Readonly<Record<AgentProgram["name"], AgentProgram>> = {
	claude: CLAUDE_PROGRAM,
	codex: CODEX_PROGRAM,
};
