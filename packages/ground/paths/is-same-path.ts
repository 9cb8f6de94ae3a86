import { realpathSync } from "node:fs";

/** Whether two paths lead to the same existing file or directory. */
export function isSamePath(left: string, right: string): boolean {
	try {
		return realpathSync(left) === realpathSync(right);
	} catch {
		return false;
	}
}
