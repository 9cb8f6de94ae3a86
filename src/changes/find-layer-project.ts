import { canonicalPath, isInside, readHome } from "@deputize/ground";
import type { ChangesPlace } from "../contract/changes.ts";
import { type FoundRepository, findRepository } from "../git/find-repository.ts";

interface LayerProject {
	/** Without links. */
	readonly directory: string;
	readonly found: FoundRepository | undefined;
	/** What a layer covers: the repository around the directory, or that itself where there is none. */
	readonly project: string;
	/** Why there can be no layer over it. */
	readonly problem?: string;
}

export function findLayerProject(given: string, { env, agentDirectory }: ChangesPlace): LayerProject {
	const directory = canonicalPath(given);
	const found = findRepository(directory);
	const project = found?.top ?? directory;
	const place = { directory, found, project };
	if (isInside(project, canonicalPath(agentDirectory)))
		return {
			...place,
			problem: `${agentDirectory}, where layers are, is inside of it. Work in a directory below it that is a project`,
		};
	return project === canonicalPath(readHome(env))
		? { ...place, problem: "it is the home directory. Work in a project below it" }
		: place;
}
