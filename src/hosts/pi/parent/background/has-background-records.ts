import { existsSync } from "node:fs";
import { join } from "node:path";

export function backgroundDirectory(agentDirectory: string, parentSession: string): string {
	return join(agentDirectory, "deputize", "background", parentSession);
}

/** Whether a session had runs in the background: what looks after them need not be loaded otherwise. */
export function hasBackgroundRecords(agentDirectory: string, parentSession: string): boolean {
	return existsSync(backgroundDirectory(agentDirectory, parentSession));
}
