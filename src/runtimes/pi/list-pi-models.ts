import { join } from "node:path";
import { defined, fingerprint, stampFiles } from "@deputize/ground";
import type { UserPlace } from "../../config/read-surroundings.ts";
import { keepForAWhile } from "../../process/keep-for-a-while.ts";
import { runCommand } from "../../process/run-command.ts";
import { findPi, type PiProgram } from "./find-pi.ts";
import { openCodeCache } from "./open-code-cache.ts";

const MAX_BYTES = 1024 * 1024;
/** What the list depends on. */
const OF_PI = ["auth.json", "models.json", "settings.json"];

/**
 * The models that pi itself says it can use, as `provider/id`. Undefined when it does not say: a program that only poses
 * as pi, or one that takes too long. Nobody is refused because of that. Kept until a file changes that pi reads them from.
 */
export async function listPiModels(
	options: UserPlace & { readonly runningPackage?: string | undefined },
): Promise<readonly string[] | undefined> {
	// Not in the project's directory: listing models must not load what belongs to a stranger.
	const pi = findPi({ ...options, cwd: options.home });
	if (pi.version === undefined) return undefined;
	const files = [pi.command, ...pi.prefix, ...OF_PI.map((name) => join(options.agentDirectory, name))];
	const asked = JSON.stringify([files, stampFiles(files), options.home, options.env]);
	return keepForAWhile(`models ${fingerprint(asked, 32)}`, () => askPi(pi, options));
}

async function askPi(pi: PiProgram, options: UserPlace): Promise<readonly string[] | undefined> {
	const { env, temporaryDirectory } = openCodeCache(pi, options);
	const ending = await runCommand({
		command: pi.command,
		args: [...pi.prefix, "--list-models"],
		cwd: options.home,
		env: defined({ ...env, TMPDIR: temporaryDirectory ?? env["TMPDIR"] }) as Record<string, string>,
		maxStdoutBytes: MAX_BYTES,
	});
	return ending.exitCode === 0 ? parseModelTable(ending.stdout.toString("utf8")) : undefined;
}

/** A table with a head; columns are at least two blanks apart, and an id may contain one. */
export function parseModelTable(text: string): readonly string[] | undefined {
	const [head, ...rows] = text.split("\n").map((line) => line.trim().split(/\s{2,}/));
	if (head?.[0] !== "provider" || head[1] !== "model") return undefined;
	return rows.flatMap(([provider, model]) => (provider && model ? [`${provider}/${model}`] : []));
}
