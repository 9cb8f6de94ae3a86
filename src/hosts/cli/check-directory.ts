import { accessSync, constants, statSync } from "node:fs";
import { resolve } from "node:path";
import { UsageError } from "./usage-error.ts";

/** The absolute path of a directory that an option names; refuses one that does not exist instead of finding nothing in it. */
export function checkDirectory(option: string, directory: string): string {
	const problem = findProblem(directory);
	if (problem === undefined) return resolve(directory);
	throw new UsageError(`${option}: the directory ${JSON.stringify(directory)} ${problem}.`);
}

function findProblem(directory: string): string | undefined {
	try {
		if (!statSync(directory).isDirectory()) return "is a file";
		accessSync(directory, constants.R_OK | constants.X_OK);
		return undefined;
	} catch (error) {
		const code = (error as NodeJS.ErrnoException).code;
		return code === "ENOENT" || code === "ENOTDIR"
			? "does not exist"
			: `may not be read (${code}); check its permissions or name another`;
	}
}
