import { isStdoutClosed } from "../../process/is-stdout-closed.ts";

const KEPT = "What ran is kept: deputize logs lists it, deputize show <id> has its answer.";

/** What cannot be printed is not lost without a word. */
export function watchStdout(): void {
	process.stdout.on("error", (error: NodeJS.ErrnoException) => {
		// A reader that has seen enough (`| head`) is no error, and a person knows what they did.
		const isEnough = error.code === "EPIPE";
		if (!(isEnough && process.stderr.isTTY))
			process.stderr.write(`deputize: stdout could not be written (${error.message}). ${KEPT}\n`);
		process.exit(isEnough ? 0 : 1);
	});
	// Whoever ignores the output on purpose can look the same, so the exit code stays.
	if (isStdoutClosed())
		process.once("exit", () =>
			process.stderr.write(`deputize: stdout is closed, so nothing was printed. ${KEPT}\n`),
		);
}
