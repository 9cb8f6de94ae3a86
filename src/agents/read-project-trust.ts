import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { canonicalPath } from "../paths/canonical-path.ts";

/**
 * The decision a person saved in pi for this directory or the nearest one above it; undefined when there is
 * none. A file that cannot be read counts as no decision, never as trust.
 */
export function readProjectTrust(cwd: string, agentDirectory: string): boolean | undefined {
	const decisions = readDecisions(join(agentDirectory, "trust.json"));
	for (let directory = canonicalPath(cwd); ; directory = dirname(directory)) {
		const decision = decisions[directory];
		if (typeof decision === "boolean") return decision;
		if (dirname(directory) === directory) return undefined;
	}
}

function readDecisions(file: string): Readonly<Record<string, unknown>> {
	try {
		const parsed: unknown = JSON.parse(readFileSync(file, "utf8").replace(/^\uFEFF/, ""));
		return typeof parsed === "object" && parsed !== null && !Array.isArray(parsed)
			? (parsed as Record<string, unknown>)
			: {};
	} catch {
		return {};
	}
}
