import type { Environment } from "@deputize/ground";
import { findExecutable } from "../../process/find-executable.ts";
import { runCommand } from "../../process/run-command.ts";
import { isLoggedIn } from "../program-logins.ts";
import type { AgentProgram } from "./agent-program.ts";

export interface InspectedProgram {
	readonly path: string;
	/** Undefined when the program does not say. */
	readonly version: string | undefined;
	/** Than the one that deputize was tested with. */
	readonly isNewer: boolean;
	/** Options that a child is started with and that this version does not have. */
	readonly missingOptions: readonly string[];
	readonly isLoggedIn: boolean;
}

const TIMEOUT_MS = 20_000;
const MAX_HELP_BYTES = 256 * 1024;

/** Undefined when it is not on PATH. */
export async function inspectProgram(
	program: Pick<AgentProgram, "name" | "tested">,
	place: { readonly env: Environment; readonly home: string; readonly cwd: string },
): Promise<InspectedProgram | undefined> {
	const path = findExecutable(program.name, place.env);
	if (path === undefined) return undefined;
	const ask = async (args: readonly string[]): Promise<string> => {
		const ending = await runCommand({
			command: path,
			args,
			cwd: place.cwd,
			env: { PATH: place.env["PATH"] ?? "", HOME: place.home },
			timeoutMs: TIMEOUT_MS,
			maxStdoutBytes: MAX_HELP_BYTES,
		});
		return ending.exitCode === 0 ? ending.stdout.toString("utf8") : "";
	};
	const [said, help] = await Promise.all([ask(["--version"]), ask(program.tested.help)]);
	const version = /\d+\.\d+\.\d+/.exec(said)?.[0];
	return {
		path,
		version,
		isNewer: version !== undefined && isLater(version, program.tested.version),
		missingOptions: program.tested.options.filter((option) => !hasOption(help, option)),
		isLoggedIn: isLoggedIn(program.name, place),
	};
}

function hasOption(help: string, option: string): boolean {
	return new RegExp(`(?<![\\w-])${option}(?![\\w-])`).test(help);
}

function isLater(version: string, other: string): boolean {
	return version.localeCompare(other, "en", { numeric: true }) > 0;
}
