/** Where the person who reads a message can change a limit: an option of the door it came through, or a key. */
export interface LimitNames {
	readonly timeoutMs: string;
	readonly idleTimeoutMs: string;
}

export const CONFIG_LIMIT_NAMES: LimitNames = {
	timeoutMs: "subagents.timeoutMs in deputize.json",
	idleTimeoutMs: "subagents.idleTimeoutMs in deputize.json",
};

/** What the options of a delegation are called at a door, for messages. */
export interface OptionNames extends LimitNames {
	/** The option that takes the built-in agent whose name a project's file uses too. */
	readonly builtin?: string;
}

/** At the doors that are commands. */
export const COMMAND_OPTION_NAMES: OptionNames = {
	builtin: "--builtin",
	timeoutMs: "--timeout-ms",
	idleTimeoutMs: "--idle-timeout-ms",
};
