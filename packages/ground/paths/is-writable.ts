import { accessSync, constants } from "node:fs";

/** Whether we may write to what exists at this path. */
export function isWritable(path: string): boolean {
	try {
		accessSync(path, constants.W_OK);
		return true;
	} catch {
		return false;
	}
}
