/** A JSON Schema object, kept plain so that every host and provider can send it as it is. */
export type JsonSchema = Readonly<Record<string, unknown>>;

export interface ToolContext {
	readonly cwd: string;
	readonly signal: AbortSignal;
	/** A line about what is going on, for hosts that show progress. */
	readonly onProgress?: (line: string) => void;
}

/**
 * What a tool gives back. A tool does not throw for anything its caller could have caused: bad input, a
 * missing file or a refused address is an outcome with `isError` and a message that says what to do.
 */
export interface ToolOutcome {
	/** For the model. Everything it needs (ids, counts, the next offset) is in here, not only in `details`. */
	readonly text: string;
	/** For programs and rendering; JSON-compatible. */
	readonly details: Readonly<Record<string, unknown>>;
	readonly isError: boolean;
}

/** A tool as every host sees it. Importing one must cost next to nothing: heavy parts load inside `execute`. */
export interface HostNeutralTool {
	readonly name: string;
	readonly label: string;
	readonly description: string;
	readonly parameters: JsonSchema;
	execute(input: unknown, context: ToolContext): Promise<ToolOutcome>;
}
