/** The tool through which Claude Code takes an answer that is held to a schema. */
export const CLAUDE_HANDOVER_TOOL = "StructuredOutput";

/** What Claude Code calls what was granted. The rest does not exist there. */
const NAMES: Readonly<Record<string, string>> = {
	read: "Read",
	grep: "Grep",
	find: "Glob",
	ls: "Glob",
	web_search: "WebSearch",
	fetch_content: "WebFetch",
	bash: "Bash",
	edit: "Edit",
	write: "Write",
};

export function nameClaudeTools(granted: readonly string[]): readonly string[] {
	return [...new Set(granted.map((tool) => NAMES[tool]).filter((name) => name !== undefined))];
}
