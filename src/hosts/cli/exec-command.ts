/**
 * Runs the loop program in this process. Its address is put together at run time because no room may import the
 * program: it is a child everywhere else. Ends the process itself, as an idle connection would keep it waiting.
 */
export async function runExec(args: readonly string[]): Promise<never> {
	const { execProgram } = (await import(locateProgram())) as {
		execProgram(args: readonly string[], env: NodeJS.ProcessEnv): Promise<number>;
	};
	process.exit(await execProgram(args, process.env));
}

function locateProgram(): string {
	const extension = import.meta.url.endsWith(".ts") ? ".ts" : ".js";
	return new URL(`../../loop/exec-program${extension}`, import.meta.url).href;
}
