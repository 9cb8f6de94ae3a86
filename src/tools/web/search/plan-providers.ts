import type { Environment } from "@deputize/ground";
import type { WebConfig } from "../../../contract/config.ts";
import {
	isOnlyWhenNamed,
	REMOTE_SEARCH_PROVIDERS,
	type RemoteSearchProvider,
	SEARCH_PROVIDERS,
	type SearchProviderName,
} from "../../../contract/search-providers.ts";

interface PlannedProvider {
	readonly provider: SearchProviderName;
	readonly usable: boolean;
	readonly reason: string;
}

/**
 * Every provider in the order in which it would be asked, with the reason why it would or would not. Looks at the
 * configuration only: that a service answers is known when it has answered.
 */
export function planProviders(config: WebConfig, env: Environment): PlannedProvider[] {
	if (config.provider !== "auto") return planExplicit(config, env, config.provider);
	const order = [...new Set([...config.providerPriority, ...REMOTE_SEARCH_PROVIDERS])].filter(
		(name) => name !== "local",
	);
	const remote = order.map((provider) => planAutomatic(config, env, provider));
	const local = {
		provider: "local",
		usable: true,
		reason: "needs no key and no network; searches documentation on this machine",
	} as const;
	return [...remote, local];
}

function planExplicit(config: WebConfig, env: Environment, chosen: SearchProviderName): PlannedProvider[] {
	const others = [...REMOTE_SEARCH_PROVIDERS, "local" as const].filter((name) => name !== chosen);
	const first = checkProvider(config, env, chosen);
	return [
		{ provider: chosen, usable: first.usable, reason: `web.provider names it; ${first.reason}` },
		...others.map((provider) => ({ provider, usable: false, reason: `web.provider is ${chosen}` })),
	];
}

function planAutomatic(config: WebConfig, env: Environment, provider: RemoteSearchProvider): PlannedProvider {
	if (isOnlyWhenNamed(provider) && !config.providerPriority.includes(provider))
		return {
			provider,
			usable: false,
			reason: "only asked when web.provider or web.providerPriority names it",
		};
	return { provider, ...checkProvider(config, env, provider) };
}

function checkProvider(
	config: WebConfig,
	env: Environment,
	provider: SearchProviderName,
): Omit<PlannedProvider, "provider"> {
	if (provider === "local") return { usable: true, reason: "needs no key and no network" };
	const { baseUrl, apiKeyEnv } = config[provider];
	if (baseUrl !== "" && !isHttpUrl(baseUrl))
		return { usable: false, reason: `web.${provider}.baseUrl is not an http or https URL` };
	const { needs } = SEARCH_PROVIDERS[provider];
	if (needs === "address")
		return {
			usable: baseUrl !== "",
			reason: `web.${provider}.baseUrl is ${baseUrl === "" ? "not " : ""}set`,
		};
	if (needs === "nothing") return { usable: true, reason: "needs no key" };
	if (apiKeyEnv === "") return { usable: false, reason: `web.${provider}.apiKeyEnv is not set` };
	return env[apiKeyEnv]
		? { usable: true, reason: `${apiKeyEnv} is set` }
		: { usable: false, reason: `the environment variable ${apiKeyEnv} is not set` };
}

function isHttpUrl(text: string): boolean {
	const url = URL.parse(text);
	return url?.protocol === "http:" || url?.protocol === "https:";
}
