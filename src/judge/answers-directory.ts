import { join } from "node:path";
import { canonicalPath, fingerprint, openOwnDirectory } from "@deputize/ground";

const HASH_CHARS = 16;

/** The name of the directory of a project, by its real path. */
export function hashPath(realPath: string): string {
	return fingerprint(realPath, HASH_CHARS);
}

export function answersRoot(home: string): string {
	return join(home, ".pi", "subagent-answers");
}

/** Where answers are kept that were too long for their caller. Open to children in the same directory, and to no others. */
export function answersDirectory(home: string, cwd: string): string {
	return join(answersRoot(home), hashPath(canonicalPath(cwd)));
}

/** A child in a sandbox that waits for its task sees only what existed when it started. */
export function prepareAnswersDirectory(home: string, cwd: string): void {
	try {
		openOwnDirectory(answersDirectory(home, cwd)).close();
	} catch {
		// Where nothing can be written no answer is kept either.
	}
}
