import { canonicalPath, isInside } from "@deputize/ground";
import { listChanges } from "../changes/list-changes.ts";
import type { CommandContext } from "./command-context.ts";

/** Those whose project is around this directory. */
export function listChangesHere({
	surroundings,
	cwd,
}: Pick<CommandContext, "surroundings" | "cwd">): ReturnType<typeof listChanges> {
	const here = canonicalPath(cwd);
	return listChanges(surroundings, { isWanted: (project) => isInside(project, here) });
}
