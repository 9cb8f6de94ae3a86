import { NoPiError } from "../runtimes/pi/find-pi.ts";
import { listPiModels } from "../runtimes/pi/list-pi-models.ts";
import type { CommandContext } from "./command-context.ts";

/** Every model that pi can use here; none where there is no pi, or it did not say. Asking pi takes about half a second. */
export async function findPiModels({ surroundings, models }: CommandContext): Promise<readonly string[]> {
	if (models !== undefined) return models;
	try {
		return (await listPiModels(surroundings)) ?? [];
	} catch (error) {
		if (error instanceof NoPiError) return [];
		throw error;
	}
}
