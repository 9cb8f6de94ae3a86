import { defined } from "@deputize/ground";
import type { UserPlace } from "../../config/read-surroundings.ts";
import { runCommand } from "../../process/run-command.ts";
import { findPi } from "./find-pi.ts";
import { openCodeCache } from "./open-code-cache.ts";

const TIMEOUT_MS = 15_000;
const MAX_BYTES = 1024 * 1024;

/**
 * The models that pi itself says it can use, as `provider/id`. Undefined when it does not say: a program that only poses
 * as pi, or one that takes too long. Nobody is refused because of that.
 */
export async function listPiModels(
	options: UserPlace & { readonly runningPackage?: string | undefined },
): Promise<readonly string[] | undefined> {
	// Not in the project's directory: listing models must not load what belongs to a stranger.
	const pi = findPi({ ...options, cwd: options.home });
	if (pi.version === undefined) return undefined;
	const { env, temporaryDirectory } = openCodeCache(pi, options);
	const ending = await runCommand({
		command: pi.command,
		args: [...pi.prefix, "--list-models"],
		cwd: options.home,
		env: defined({ ...env, TMPDIR: temporaryDirectory ?? env["TMPDIR"] }) as Record<string, string>,
		timeoutMs: TIMEOUT_MS,
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
