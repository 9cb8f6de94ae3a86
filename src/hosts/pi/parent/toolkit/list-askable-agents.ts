import { toOneLine } from "@deputize/ground";
import { createCommandContext, discoverFor } from "../../../../commands/command-context.ts";

/** Who can be asked here, for the lists that appear while a person types. */
export function listAskableAgents(
	cwd: string = process.cwd(),
): readonly { readonly name: string; readonly description: string }[] {
	return discoverFor(createCommandContext({ cwd })).agents.map(({ name, description }) => ({
		name: toOneLine(name),
		description: toOneLine(description),
	}));
}
