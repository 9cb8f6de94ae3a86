import { readSurroundings } from "../../config/read-surroundings.ts";
import { execProgram } from "../../loop/exec-program.ts";

/**
 * Runs the loop program in this process; everywhere else it is a child. Ends the process itself, because an idle
 * connection would keep it waiting.
 */
export async function runExec(args: readonly string[]): Promise<never> {
	process.exit(await execProgram(args, process.env, readSurroundings().depth));
}
