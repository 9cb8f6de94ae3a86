/** One option: what `parseArgs` needs, and its help text. */
export interface OptionRow {
	readonly type: "string" | "boolean";
	readonly short?: string;
	readonly multiple?: boolean;
	/** Placeholder for the value in the help. */
	readonly value?: string;
	readonly help: string;
	/** Possible values, for completion; file names if absent. */
	readonly choices?: readonly string[] | "agents";
}

export type OptionRows = Readonly<Record<string, OptionRow>>;

/** A command and what it does. */
export type Example = readonly [command: string, comment?: string];

export interface CommandHelp {
	readonly usage: readonly string[];
	readonly examples: readonly Example[];
	readonly options: OptionRows;
	/** Text after the list of options. */
	readonly notes?: string;
	/** The first words that can follow the command, for completion. */
	readonly words?: readonly string[] | "agents";
	/** What can follow one of these words. */
	readonly after?: Readonly<Record<string, readonly string[] | "agents">>;
}

/** One command of the command line: dispatch, help, suggestions and completion are made from it. */
export interface CommandRow {
	readonly name: string;
	/** What follows the name in the list of commands. */
	readonly usage?: string;
	readonly summary: string;
	/** Loaded when named, so that no command pays for another. Returns the exit code. */
	run(argv: readonly string[]): Promise<number>;
	/** Why there is no `--json`, where there is none. Every other command has it. */
	readonly noJson?: string;
	/** Without it the command answers `--help` itself. */
	help?(): Promise<CommandHelp>;
}
