#!/usr/bin/env node
import { parseVersion } from "./parse-version.ts";

const OLDEST_NODE = [22, 19] as const;
/** Ends its children first when its reader is gone. */
const SERVER = "mcp";

/**
 * Every command returns its exit code; `exec` and a second interrupt end the process themselves. Commands are loaded
 * when named, so that `exec` pays for nothing else.
 */
async function main(argv: readonly string[]): Promise<number> {
	const [command, ...rest] = argv;
	switch (command) {
		case "run":
			return (await import("./run-agent-command.ts")).runAgentCommand(rest);
		case "agents":
		case "doctor":
		case "logs":
		case "activity":
			return (await import("./report-command.ts")).runReportCommand(command, rest);
		case "batch":
			return (await import("./batch-command.ts")).runBatchCommand(rest);
		case "worker":
			return (await import("./worker-command.ts")).runWorkerCommand(rest);
		case SERVER:
			// Exits itself: a client may keep our input open.
			return process.exit(await (await import("./mcp-command.ts")).runMcpCommand(rest));
		case "exec":
			return (await import("./exec-command.ts")).runExec(rest);
		case undefined:
		case "help":
		case "--help":
		case "-h":
			process.stdout.write((await import("./help.ts")).HELP);
			return command === undefined ? 2 : 0;
		case "--version":
		case "-v":
			process.stdout.write(`${(await import("../../paths/read-package-version.ts")).readPackageVersion()}\n`);
			return 0;
		default:
			(await import("./show-error.ts")).showError(
				"deputize",
				`there is no command ${JSON.stringify(command)}. Commands: run, batch, worker, agents, doctor, logs, activity, mcp, exec. Try: deputize --help`,
			);
			return 2;
	}
}

function isNodeTooOld(): boolean {
	const [major, minor] = parseVersion(process.versions.node);
	return major < OLDEST_NODE[0] || (major === OLDEST_NODE[0] && minor < OLDEST_NODE[1]);
}

if (isNodeTooOld()) {
	process.stderr.write(
		`deputize: Node ${OLDEST_NODE.join(".")} or newer is needed, this is ${process.versions.node}.\n`,
	);
	process.exitCode = 2;
} else {
	// A reader that closes the pipe (`| head`) is not an error of ours. Without progress the answer can still be given.
	process.stderr.on("error", () => undefined);
	const argv = process.argv.slice(2);
	if (argv[0] !== SERVER)
		process.stdout.on("error", (error: NodeJS.ErrnoException) =>
			process.exit(error.code === "EPIPE" ? 0 : 1),
		);
	process.exitCode = await main(argv);
}
