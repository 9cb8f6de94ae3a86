import type { Environment } from "@deputize/ground";
import { findExecutable } from "../../process/find-executable.ts";
import { type CommandEnding, runCommand } from "../../process/run-command.ts";
import { isLoggedIn } from "../program-logins.ts";
import type { AgentProgram } from "./agent-program.ts";

export interface InspectedProgram {
	readonly path: string;
	/** Undefined when the program does not say. */
	readonly version: string | undefined;
	/** Than the one that deputize was tested with. */
	readonly isNewer: boolean;
	/** Why it did not say what it can do. */
	readonly silence: string | undefined;
	/** Options that a child is started with and that this version does not have. */
	readonly missingOptions: readonly string[];
	readonly isLoggedIn: boolean;
}

const MAX_HELP_BYTES = 256 * 1024;

/** Undefined when it is not on PATH. */
export async function inspectProgram(
	program: Pick<AgentProgram, "name" | "tested">,
	place: { readonly env: Environment; readonly home: string; readonly cwd: string },
): Promise<InspectedProgram | undefined> {
	const path = findExecutable(program.name, place.env);
	if (path === undefined) return undefined;
	const ask = (args: readonly string[]): Promise<CommandEnding> =>
		runCommand({
			command: path,
			args,
			cwd: place.cwd,
			env: { PATH: place.env["PATH"] ?? "", HOME: place.home },
			maxStdoutBytes: MAX_HELP_BYTES,
		});
	const [said, help] = await Promise.all([ask(["--version"]), ask(program.tested.help)]);
	const version = said.exitCode === 0 ? /\d+\.\d+\.\d+/.exec(said.stdout.toString("utf8"))?.[0] : undefined;
	const silence = help.exitCode === 0 ? undefined : (help.message ?? `exit code ${help.exitCode}`);
	const known = help.stdout.toString("utf8");
	return {
		path,
		version,
		isNewer: version !== undefined && isLater(version, program.tested.version),
		silence,
		missingOptions:
			silence === undefined ? program.tested.options.filter((option) => !hasOption(known, option)) : [],
		isLoggedIn: isLoggedIn(program.name, place),
	};
}

function hasOption(help: string, option: string): boolean {
	return new RegExp(`(?<![\\w-])${option}(?![\\w-])`).test(help);
}

function isLater(version: string, other: string): boolean {
	return version.localeCompare(other, "en", { numeric: true }) > 0;
}
