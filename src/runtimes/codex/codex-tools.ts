const READING = ["read", "grep", "find", "ls"];
const WRITING = ["bash", "edit", "write"];

/** Codex has no list of tools, but a shell whose file system is read-only; these switches are all there is to grant. */
export function toCodexTools(granted: readonly string[]) {
	return {
		shell: granted.some((tool) => READING.includes(tool) || WRITING.includes(tool)),
		webSearch: granted.includes("web_search"),
	};
}

export function nameCodexTools(granted: readonly string[]): readonly string[] {
	const { shell, webSearch } = toCodexTools(granted);
	return [
		...(shell ? ["a shell without network, for commands such as cat, ls and rg"] : []),
		...(webSearch ? ["web search"] : []),
	];
}
