import { serveMcp } from "./serve-mcp.ts";
import { showRefusals } from "./show-refusals.ts";

/** `deputize mcp` with arguments: the tool `subagent` for other agents, over stdin and stdout. Returns the exit code. */
export async function runMcpCommand(argv: readonly string[]): Promise<number> {
	if (argv[0] === "install") return (await import("./mcp-install-command.ts")).runMcpInstall(argv.slice(1));
	const { suggestWord } = await import("@deputize/ground");
	const { parseMcpArguments } = await import("./parse-mcp-arguments.ts");
	const { UsageError } = await import("./usage-error.ts");
	const run = (): Promise<number> => {
		const [word = "-"] = argv;
		if (!word.startsWith("-"))
			throw new UsageError(
				`${JSON.stringify(word)} is not known here. ${suggestWord(word, ["install"], "Words")} Try: deputize mcp --help`,
			);
		return serveMcp(parseMcpArguments(argv));
	};
	return showRefusals("deputize mcp", run, [UsageError]);
}
