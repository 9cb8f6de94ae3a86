/** The tool through which Claude Code takes an answer that must match a schema. */
export const CLAUDE_HANDOVER_TOOL = "StructuredOutput";

/** Claude Code's names for granted tools. The others do not exist there. */
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
