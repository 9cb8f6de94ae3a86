import { asObject, asText, parseJsonObject } from "@deputize/ground";

/**
 * What a provider says, with the words for a person first. pi passes on the answer as it came, such as
 * `401: {"error":{"message":"invalid api key"}}`: that is the second line.
 */
export function describeProviderError(said: string): string {
	const start = said.indexOf("{");
	const body = start < 0 ? undefined : parseJsonObject(said.slice(start));
	const words = (asText(asObject(body?.["error"])["message"]) || asText(body?.["message"])).trim();
	if (words === "") return said;
	const status = said.slice(0, start).replace(/[\s:]+$/, "");
	return `${words}${status === "" ? "" : ` (${status})`}\n${said}`;
}
