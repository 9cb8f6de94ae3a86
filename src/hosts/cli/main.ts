#!/usr/bin/env node
import { isNodeOlder, OLDEST_NODE } from "../../contract/node-version.ts";
import { serveMcp } from "./serve-mcp.ts";

/** Ends its children first if its reader goes away. */
const SERVER = "mcp";

/** Every command returns its exit code; `mcp`, `exec` and a second interrupt end the process themselves. */
async function main([name, ...rest]: readonly string[]): Promise<number> {
	// The way clients start it: not even the command table is loaded. It exits by itself, because a client may keep our stdin open.
	if (name === SERVER && rest.length === 0) process.exit(await serveMcp());
	if (name === "--version" || name === "-v" || name === "-V" || name === "version") {
		process.stdout.write(
			`${(await import("../../contract/read-package-version.ts")).readPackageVersion()}\n`,
		);
		return 0;
	}
	if (name === undefined || name === "help" || name === "--help" || name === "-h") {
		return (await import("./show-help.ts")).showHelp(rest[0], { isAsked: name !== undefined });
	}
	const command = (await import("./command-table.ts")).findCommand(name);
	if (command === undefined) return (await import("./run-unknown-command.ts")).runUnknownCommand(name, rest);
	if (asksForHelp(rest)) return (await import("./show-help.ts")).showHelp(name, { isAsked: true });
	return command.run(rest);
}

/** Everything after `--` is part of the task. */
function asksForHelp(argv: readonly string[]): boolean {
	const end = argv.indexOf("--");
	return argv.slice(0, end < 0 ? argv.length : end).some((word) => word === "--help" || word === "-h");
}

if (isNodeOlder(OLDEST_NODE)) {
	process.stderr.write(
		`deputize: Node ${OLDEST_NODE.join(".")} or newer is needed, this is ${process.versions.node}.\n`,
	);
	process.exitCode = 2;
} else {
	// A reader that closes the pipe (`| head`) is not our error. The answer can still be given without progress output.
	process.stderr.on("error", () => undefined);
	const argv = process.argv.slice(2);
	if (argv[0] !== SERVER)
		process.stdout.on("error", (error: NodeJS.ErrnoException) =>
			process.exit(error.code === "EPIPE" ? 0 : 1),
		);
	process.exitCode = await main(argv);
}
