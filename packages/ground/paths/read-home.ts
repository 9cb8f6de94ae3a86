import { homedir, userInfo } from "node:os";
import { isAbsolute } from "node:path";
import type { Environment } from "../environment.ts";

/**
 * The user's home directory. With an empty `HOME`, or one that is no absolute path, everything that belongs there would be
 * written into the current directory: then it is the one that the system knows.
 */
export function readHome(env: Environment = {}): string {
	const named = env["HOME"] ?? "";
	return isAbsolute(named) ? named : isAbsolute(homedir()) ? homedir() : userInfo().homedir;
}
