import { join } from "node:path";
import { asObject, canonicalPath, listAncestors, readJsonFile } from "@deputize/ground";

/**
 * The decision a person saved in pi for this directory or the nearest one above it; undefined when there is
 * none. A file that cannot be read counts as no decision, never as trust.
 */
export function readProjectTrust(cwd: string, agentDirectory: string): boolean | undefined {
	const decisions = asObject(readJsonFile(join(agentDirectory, "trust.json")));
	for (const directory of listAncestors(canonicalPath(cwd))) {
		const decision = decisions[directory];
		if (typeof decision === "boolean") return decision;
	}
	return undefined;
}
