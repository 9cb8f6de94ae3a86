import { basename, extname } from "node:path";
import type { Environment } from "@deputize/ground";
import { findRipgrep } from "../process/find-ripgrep.ts";
import { runCommand } from "../process/run-command.ts";
import { describeServers, type ServerDescription } from "../tools/lsp/servers/describe-servers.ts";
import type { CommandContext } from "./command-context.ts";

/** Some fifty thousand paths: more do not change which languages a project is written in. */
const MAX_LISTING_BYTES = 4 * 1024 * 1024;
/** A language with fewer of the files is a setting or a script, not what the project is written in. */
const MIN_SHARE = 0.05;

/** Language servers of the languages this project is written in, most files first. */
export async function findProjectServers(
	context: CommandContext,
	isBoxed: boolean,
): Promise<readonly ServerDescription[]> {
	const { lsp } = context.config;
	const servers = describeServers(lsp, {
		env: context.surroundings.env,
		workspace: context.cwd,
		trusted: context.projectTrust === true,
		isBoxed: isBoxed && lsp.sandbox !== "off",
	});
	return selectByFiles(servers, await listFiles(context.cwd, context.surroundings.env));
}

export function selectByFiles(
	servers: readonly ServerDescription[],
	files: readonly string[],
): readonly ServerDescription[] {
	const counted = servers.map((server) => {
		const names = new Set(server.languages);
		return {
			server,
			count: files.filter((file) => names.has(extname(file)) || names.has(basename(file))).length,
		};
	});
	const all = counted.reduce((sum, { count }) => sum + count, 0);
	return counted
		.filter(({ count }) => count > 0 && count >= all * MIN_SHARE)
		.sort((left, right) => right.count - left.count)
		.map(({ server }) => server);
}

/** Without what Git ignores. None when they cannot be listed. */
async function listFiles(cwd: string, env: Environment): Promise<readonly string[]> {
	const ripgrep = findRipgrep(env);
	if (ripgrep === undefined) return [];
	const { stdout } = await runCommand({
		command: ripgrep,
		args: ["--no-config", "--files", "--null", "--no-messages"],
		cwd,
		env: { PATH: env["PATH"] ?? "" },
		maxStdoutBytes: MAX_LISTING_BYTES,
	});
	return stdout.toString("utf8").split("\0").filter(Boolean);
}
