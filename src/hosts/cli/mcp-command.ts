import { serveMcp } from "./serve-mcp.ts";

/** `deputize mcp` with arguments: the tool `subagent` for other agents, over stdin and stdout. Returns the exit code. */
export async function runMcpCommand(argv: readonly string[]): Promise<number> {
	if (argv[0] === "install") return (await import("./mcp-install-command.ts")).runMcpInstall(argv.slice(1));
	const options = await readServerOptions(argv);
	return typeof options === "number" ? options : serveMcp(options);
}

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
