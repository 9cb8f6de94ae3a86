/** What the configuration says about files, as it travels to a child. */
export interface FileRules {
	/** Opened by the user: `subagents.readable`. */
	readonly readable: readonly string[];
	/** Closed by the user or the project: `subagents.unreadable`. Wins over `readable`. */
	readonly unreadable: readonly string[];
}
