/** A JSON Schema object, kept plain so that every host and provider can send it as it is. */
export type JsonSchema = Readonly<Record<string, unknown>>;

export interface ToolContext {
	readonly cwd: string;
	readonly signal: AbortSignal;
	/** A line about what is going on, for hosts that show progress. */
	readonly onProgress?: (line: string) => void;
}

export interface ToolImage {
	readonly bytes: Uint8Array;
	readonly mimeType: string;
}

/** What a tool gives back. */
export interface ToolOutcome {
	/** For the model. Everything it needs (ids, counts, the next offset) is in here, not only in `details`. */
	readonly text: string;
	/** For programs and rendering; JSON-compatible. */
	readonly details: Readonly<Record<string, unknown>>;
	readonly isError: boolean;
	/** One line for the journal, where the arguments do not say enough. */
	readonly summary?: string;
	/** For hosts whose model can see. */
	readonly images?: readonly ToolImage[];
}

/** A tool as every host sees it. Importing one must cost next to nothing: heavy parts load inside `execute`. */
export interface HostNeutralTool {
	readonly name: string;
	readonly label: string;
	readonly description: string;
	readonly parameters: JsonSchema;
	/**
	 * What a caller could have caused (bad input, a missing file, a refused address) is an outcome with `isError`, or a
	 * `ToolError`, which the toolbox turns into one. Anything else that is thrown is a bug.
	 */
	execute(input: unknown, context: ToolContext): Promise<ToolOutcome>;
}

/** The part of pi 1.x that connects MCP servers, as it is named on the command line. */
export const MCP_EXTENSION = "builtin:mcp";

/** pi names tools of servers `mcp__<server>__<tool>`. */
export function isMcpTool(name: string): boolean {
	return name.startsWith("mcp__");
}

/** In place of a tool that cannot be had on this machine: why, and what to do about it. */
export interface MissingTool {
	readonly missing: string;
}
