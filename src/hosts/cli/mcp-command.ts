import { createRequire } from "node:module";
import type { McpDoor, McpServerOptions } from "../../contract/mcp.ts";
import { locateEntryPoint } from "../../entry-points.ts";

/**
 * `deputize mcp`: the tool `subagent` for other agents, over stdin and stdout. Returns the exit code. How soon the first
 * answer comes decides whether some clients see the tool at all, so nothing is loaded that this start does not need.
 */
export async function runMcpCommand(argv: readonly string[]): Promise<number> {
	if (argv[0] === "install") return (await import("./mcp-install-command.ts")).runMcpInstall(argv.slice(1));
	const options = argv.length === 0 ? DEFAULT_OPTIONS : await readServerOptions(argv);
	if (typeof options === "number") return options;
	const door = createRequire(import.meta.url)(locateEntryPoint("mcp")) as McpDoor;
	return door.serveStdio(options);
}

const DEFAULT_OPTIONS: McpServerOptions = { agentsDirectories: [], builtinOnly: false, offline: false };

/** An exit code when there is nothing to serve. */
async function readServerOptions(argv: readonly string[]) {
	const [{ parseMcpArguments }, { UsageError }] = await Promise.all([
		import("./parse-mcp-arguments.ts"),
		import("./usage-error.ts"),
	]);
	try {
		return parseMcpArguments(argv);
	} catch (error) {
		if (!(error instanceof UsageError)) throw error;
		(await import("./show-error.ts")).showError("deputize mcp", error.message);
		return 2;
	}
}
