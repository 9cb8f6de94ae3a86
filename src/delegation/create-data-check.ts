import { createValidator, messageOf } from "@deputize/ground";
import type { AgentDefinition } from "../contract/agent.ts";
import { DelegationError } from "../contract/error-codes.ts";
import type { CheckData } from "../contract/finalization.ts";

/** Runs before anything is started or taken: an unusable schema is a mistake in the agent's file. */
export async function createDataCheck({ output, file }: AgentDefinition): Promise<CheckData | undefined> {
	if (output === undefined) return undefined;
	try {
		return await createValidator(output);
	} catch (error) {
		throw new DelegationError(
			"INVALID_INPUT",
			`The output schema of ${file} cannot be used: ${messageOf(error)}.`,
		);
	}
}
