import { findLayerProject } from "../changes/find-layer-project.ts";
import type { ChangesPlace } from "../contract/changes.ts";
import { GitError } from "../git/git-error.ts";
import { probeSandbox } from "../sandbox/probe-sandbox.ts";

/** A command is only tried where nothing of it can stay: in a layer, inside of a sandbox. */
export async function canTryCommands(cwd: string, place: ChangesPlace): Promise<boolean> {
	const probe = await probeSandbox(place);
	const hasLayers = probe.works && probe.sandbox.layers.how !== "none";
	return hasLayers && canHaveLayer(cwd, place);
}

function canHaveLayer(cwd: string, place: ChangesPlace): boolean {
	try {
		return findLayerProject(cwd, place).problem === undefined;
	} catch (error) {
		// Such as a `.git` file that leads nowhere: a reader reads there as before.
		if (error instanceof GitError) return false;
		throw error;
	}
}
