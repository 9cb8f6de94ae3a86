import { findLayerProject } from "../changes/find-layer-project.ts";
import type { ChangesPlace } from "../contract/changes.ts";
import { probeSandbox } from "../sandbox/probe-sandbox.ts";

/** A command is only tried where nothing of it can stay: in a layer, inside of a sandbox. */
export async function canTryCommands(cwd: string, place: ChangesPlace): Promise<boolean> {
	const probe = await probeSandbox(place);
	const hasLayers = probe.works && probe.sandbox.layers.how !== "none";
	return hasLayers && findLayerProject(cwd, place).problem === undefined;
}
