import { DelegationError } from "../contract/error-codes.ts";
import type { CommandContext } from "./command-context.ts";

/** Some decisions are a person's: a child with a shell must not make them. */
export function refuseInChild({ surroundings }: CommandContext, what: string): void {
	if (surroundings.depth > 0)
		throw new DelegationError(
			"SUBAGENT_DISABLED",
			`A subagent cannot ${what}. Ask the person to run this command.`,
		);
}
