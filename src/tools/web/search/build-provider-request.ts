import type { ProviderRequest } from "./search-provider.ts";

type Headers = Readonly<Record<string, string>>;

const JSON_TYPE = "application/json";

export function buildJsonPost(url: string, headers: Headers, body: object): ProviderRequest {
	return {
		url,
		method: "POST",
		headers: { accept: JSON_TYPE, "content-type": JSON_TYPE, ...headers },
		body: JSON.stringify(body),
	};
}

/** Adds to the parameters that the endpoint already has. */
export function buildQuery(
	endpoint: string,
	headers: Headers,
	parameters: Readonly<Record<string, string>>,
): ProviderRequest {
	const url = new URL(endpoint);
	for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
	return { url: url.href, method: "GET", headers: { accept: JSON_TYPE, ...headers } };
}
