import { DelegationError } from "../../contract/error-codes.ts";
import { splitModel } from "../../contract/split-model.ts";
import { canUseModel, OWN_PROVIDERS } from "../can-use-model.ts";
import type { AgentProgram } from "./agent-program.ts";

/** The program's own name for a model. Undefined leaves the choice to the program. */
export function toOwnModel(
	model: string | undefined,
	program: Pick<AgentProgram, "name" | "title">,
): string | undefined {
	if (model === undefined) return undefined;
	if (canUseModel(program.name, model)) return splitModel(model).name;
	throw new DelegationError(
		"INVALID_INPUT",
		`${program.title} cannot use the model ${model}. Name one of its own, such as ${OWN_PROVIDERS[program.name][0]}/id, leave the model out, or choose another runtime than ${program.name}.`,
	);
}
