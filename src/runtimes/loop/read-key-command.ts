import { defined } from "@deputize/ground";
import type { UserPlace } from "../../config/read-surroundings.ts";
import { runCommand } from "../../process/run-command.ts";
import { refuseModel } from "./resolve-loop-model.ts";

const TIMEOUT_MS = 30_000;
const MAX_KEY_BYTES = 16 * 1024;

/** The first line that the user's own command prints. Not in the project's directory: the command is the user's alone. */
export async function readKeyCommand(
	[command = "", ...args]: readonly string[],
	service: string,
	{ env, home }: Pick<UserPlace, "env" | "home">,
): Promise<string> {
	const ending = await runCommand({
		command,
		args,
		cwd: home,
		env: defined({ ...env }) as Record<string, string>,
		timeoutMs: TIMEOUT_MS,
		maxStdoutBytes: MAX_KEY_BYTES,
	});
	const [key = ""] = ending.stdout.toString("utf8").trim().split("\n");
	if (ending.reason === "exit" && ending.exitCode === 0 && key.trim() !== "") return key.trim();
	const why =
		ending.message ?? (ending.exitCode === 0 ? "it printed nothing" : `exit code ${ending.exitCode}`);
	throw refuseModel(
		`models.${service}.keyCommand (${command}) gave no key: ${why}. Run it yourself to see why`,
	);
}
