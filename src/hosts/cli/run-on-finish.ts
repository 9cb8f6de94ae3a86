import { lastLine } from "@deputize/ground";
import { MAX_TIMEOUT_MS } from "../../contract/limits.ts";
import { runCommand } from "../../process/run-command.ts";
import type { BatchSummary } from "./render-batch.ts";

const MAX_OUTPUT_BYTES = 1024 * 1024;

/** Runs the person's own command after a batch. What it says goes to stderr; that it fails is said, and changes nothing else. */
export async function runOnFinish(
	command: string,
	summary: BatchSummary,
	exitCode: number,
	note: (line: string) => void,
): Promise<void> {
	const { reason, stdout, stderr, message, ...ending } = await runCommand({
		command: "/bin/sh",
		args: ["-c", command],
		cwd: process.cwd(),
		env: {
			...(process.env as Record<string, string>),
			DEPUTIZE_BATCH_OUTPUT: summary.output,
			DEPUTIZE_BATCH_EXIT_CODE: String(exitCode),
		},
		input: JSON.stringify(summary),
		timeoutMs: MAX_TIMEOUT_MS,
		maxStdoutBytes: MAX_OUTPUT_BYTES,
	});
	const said = `${stdout.toString("utf8")}${stderr}`.trimEnd();
	if (said !== "") note(said);
	if (reason === "exit" && ending.exitCode === 0) return;
	note(
		`--on-finish failed: ${message ?? (lastLine(stderr) || `it ended with ${ending.exitCode ?? ending.signal}`)}`,
	);
}
