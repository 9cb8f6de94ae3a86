import type { RuntimeName } from "./agent.ts";

/** The options of `deputize mcp`. */
export interface McpServerOptions {
	/** `--cwd`, absolute. */
	readonly cwd?: string;
	/** Only the agents of the package. */
	readonly builtinOnly: boolean;
	readonly agentsDirectories: readonly string[];
	readonly model?: string;
	readonly runtime?: RuntimeName;
	readonly offline: boolean;
	readonly timeoutMs?: number;
	readonly idleTimeoutMs?: number;
	/** Wins over what is known of the client. */
	readonly answerWithinMs?: number;
	/** Likewise. */
	readonly maxResultBytes?: number;
	/** The longest pause between two progress notifications; 10 s by default. */
	readonly heartbeatMs?: number;
}

/** What the entry point `mcp` exports: serves one client until it goes away, and returns the exit code. */
export interface McpDoor {
	readonly serveStdio: (options: McpServerOptions) => Promise<number>;
}
