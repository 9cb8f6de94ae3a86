import type { RuntimeName } from "../contract/agent.ts";
import { isProgram, OWN_PROVIDERS } from "../runtimes/can-use-model.ts";
import { findAddressName, resolveLoopModel, type ServicePlace } from "../runtimes/loop/resolve-loop-model.ts";

/** Where the requests of a child go; undefined where only pi or another agent's program knows, and for the navigator. */
export function findModelAddress(
	runtime: RuntimeName,
	model: string | undefined,
	place: ServicePlace,
): string | undefined {
	if (runtime === "loop") return (model && resolveLoopModel(model, place).url) || undefined;
	const variable = isProgram(runtime) ? findAddressName(OWN_PROVIDERS[runtime][0], place.env) : undefined;
	return variable && place.env[variable];
}
