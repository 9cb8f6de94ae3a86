#!/usr/bin/env node
import { explainCurrentDirectory } from "@deputize/ground";
import { isNodeOlder, OLDEST_NODE } from "../../contract/node-version.ts";
import { serveMcp } from "./serve-mcp.ts";
import { watchStdout } from "./watch-stdout.ts";

const SERVER = "mcp";
/** These say in their own way that nobody can read them, and end their children first. */
const TALKS_ITSELF = [SERVER, "exec"];

/** Every command returns its exit code; `mcp`, `exec` and a second interrupt end the process themselves. */
async function main([name, ...rest]: readonly string[]): Promise<number> {
	if (name === "--version" || name === "-v" || name === "-V" || name === "version") {
		process.stdout.write(
			`${(await import("../../contract/read-package-version.ts")).readPackageVersion()}\n`,
		);
		return 0;
	}
	if (name === undefined || name === "help" || name === "--help" || name === "-h") {
		return (await import("./show-help.ts")).showHelp(rest[0], { isAsked: name !== undefined });
	}
	// Every command looks around from there. `exec` says it in an event.
	const lost = name === "exec" ? undefined : explainCurrentDirectory();
	if (lost !== undefined) {
		process.stderr.write(`deputize: ${lost}\n`);
		return 2;
	}
	// The way clients start it: not even the command table is loaded. It exits by itself, because a client may keep our stdin open.
	if (name === SERVER && rest.length === 0) process.exit(await serveMcp());
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
	// The answer can still be given without progress output.
	process.stderr.on("error", () => undefined);
	const argv = process.argv.slice(2);
	if (!TALKS_ITSELF.includes(argv[0] ?? "")) watchStdout();
	process.exitCode = await main(argv);
}
