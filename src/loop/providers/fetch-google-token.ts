import { defined, type Environment, lastLine } from "@deputize/ground";
import { runCommand } from "../../process/run-command.ts";
import { LoopError } from "../loop-error.ts";

const TIMEOUT_MS = 30_000;
const MAX_TOKEN_BYTES = 64 * 1024;

/** The token of whoever is logged in with Google's own tool. */
export async function fetchGoogleToken(context: {
	readonly env: Environment;
	readonly cwd: string;
	readonly signal: AbortSignal;
}): Promise<string> {
	const ending = await runCommand({
		command: "gcloud",
		args: ["auth", "print-access-token"],
		cwd: context.cwd,
		env: defined(context.env) as Record<string, string>,
		timeoutMs: TIMEOUT_MS,
		signal: context.signal,
		maxStdoutBytes: MAX_TOKEN_BYTES,
	});
	const token = ending.stdout.toString("utf8").trim();
	if (ending.reason !== "exit" || ending.exitCode !== 0 || !/^[\x21-\x7e]+$/.test(token)) {
		const reason = ending.message ?? (lastLine(ending.stderr) || `exit code ${ending.exitCode}`);
		throw new LoopError(
			"no_credentials",
			`No Google access token: \`gcloud auth print-access-token\` failed (${reason}). Put a token in the variable named by api_key_name, or log in with gcloud.`,
		);
	}
	return token;
}
