import { isLoopback, listServiceModels } from "../config/list-service-models.ts";
import { isOfflineModel } from "../contract/offline-model.ts";
import { checkLoopModel, resolveLoopModel, type ServicePlace } from "../runtimes/loop/resolve-loop-model.ts";

/** Servers on this machine answer at once, and one that is too busy is asked for the name as it was written. */
const LIST_MS = 5000;

/**
 * The whole name where a part was written and a server on this machine has one model only with that part. Every other name is
 * left for the server to refuse: some answer with what they have loaded, whatever they are asked for. Nobody else is asked.
 */
export async function completeModelName(named: string, place: ServicePlace): Promise<string> {
	if (isOfflineModel(named) || checkLoopModel(named, place) !== undefined) return named;
	// Address and model were set by hand, as they are.
	if (place.env["DEPUTIZE_LOOP_URL"]?.trim()) return named;
	const served = resolveLoopModel(named, place);
	const { name, model, url, keyCommand, apiKeyName } = served;
	// A command may ask a person, and is run once for a run.
	if (!isLoopback(url) || keyCommand !== undefined) return named;
	const models = await listServiceModels(served, place.env[apiKeyName]?.trim() ?? "", LIST_MS);
	const only = "problem" in models ? undefined : findOnlyMatch(model, models);
	if (only === undefined) return named;
	return `${name.slice(0, name.length - model.length)}${only}`;
}

/** The one model with this part in its name; undefined when there are several or none, or when it is a whole name. */
function findOnlyMatch(part: string, served: readonly string[]): string | undefined {
	const has = (name: string): boolean => name.toLowerCase().includes(part.toLowerCase());
	const [only, ...others] = served.includes(part) ? [] : served.filter(has);
	return others.length === 0 ? only : undefined;
}
