import { join } from "node:path";
import { asObject, asText, readJsonFile } from "@deputize/ground";
import { findCredentials } from "../../config/find-credentials.ts";
import { listProviderVariables, PROVIDER_VARIABLES } from "../../config/provider-variables.ts";
import type { UserPlace } from "../../config/read-surroundings.ts";
import { isOfflineModel } from "../../contract/offline-model.ts";
import { splitModel } from "../../contract/split-model.ts";

type Place = Pick<UserPlace, "env" | "agentDirectory">;

/**
 * The environment variables the provider of a model needs, and no other provider's. A model without a provider is
 * looked up by pi among all it has keys for, so that these names are all passed on.
 */
export function listModelVariables(model: string | undefined, place: Place): readonly string[] {
	if (isOfflineModel(model)) return [];
	return listProviders(model, place).flatMap((provider) => [
		...listProviderVariables(provider),
		...listNamesInModelsFile(provider, place.agentDirectory),
	]);
}

/** The one provider whose login and key a child needs; undefined when only pi can tell. */
export function findModelProvider(model: string | undefined, place: Place): string | undefined {
	const providers = listProviders(model, place);
	return providers.length === 1 ? providers[0] : undefined;
}

function listProviders(model: string | undefined, place: Place): readonly string[] {
	const provider = splitModel(model ?? "").provider;
	if (provider !== "") return [provider];
	const usable = listUsableProviders(place);
	if (model !== undefined) return usable;
	const preferred = asText(
		asObject(readJsonFile(join(place.agentDirectory, "settings.json")))["defaultProvider"],
	);
	const isUsable = usable.includes(preferred) || hasVariable(preferred, place.env);
	return preferred !== "" && isUsable ? [preferred] : usable.slice(0, 1);
}

/** In pi's own order, whatever the key comes from: without a default pi takes the first. */
function listUsableProviders(place: Place): readonly string[] {
	const order = Object.keys(PROVIDER_VARIABLES);
	const rank = (provider: string): number => order.indexOf(provider) >>> 0;
	const found = new Set(findCredentials(place).map(({ provider }) => provider));
	return [...found].sort((left, right) => rank(left) - rank(right));
}

function hasVariable(provider: string, env: Place["env"]): boolean {
	return listProviderVariables(provider).some((name) => Boolean(env[name]?.trim()));
}

/** pi's models.json may name any variable as the key of a provider of the user's own. */
function listNamesInModelsFile(provider: string, agentDirectory: string): readonly string[] {
	const { providers } = asObject(readJsonFile(join(agentDirectory, "models.json")));
	const text = JSON.stringify(asObject(providers)[provider] ?? {});
	const interpolated = text.matchAll(/\$\{?([A-Z_][A-Z0-9_]{1,63})/g);
	const whole = text.matchAll(/"([A-Z][A-Z0-9_]{2,63})"/g);
	return [...interpolated, ...whole].map((match) => match[1] ?? "");
}
