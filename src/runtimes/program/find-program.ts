import type { Environment } from "@deputize/ground";
import { DelegationError } from "../../contract/error-codes.ts";
import { findExecutable } from "../../process/find-executable.ts";
import type { AgentProgram } from "./agent-program.ts";

export function findProgram(
	program: Pick<AgentProgram, "name" | "title" | "packageName">,
	env: Environment,
): string {
	const found = findExecutable(program.name, env);
	if (found !== undefined) return found;
	throw new DelegationError(
		"SUBAGENT_FAILED",
		`${program.title} was not found: there is no ${program.name} on PATH. Install it with npm install -g ${program.packageName} and log in, or choose another runtime.`,
	);
}
