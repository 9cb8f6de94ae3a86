import { describeNearModels } from "../contract/describe-near-models.ts";
import type { LoopProviderName } from "../contract/loop-providers.ts";
import { findDialect, parseBaseUrl, toEndpoint } from "../contract/to-endpoint.ts";
import { LoopError } from "./loop-error.ts";

interface Asked {
	readonly provider: LoopProviderName;
	readonly url: string;
	readonly model: string;
	readonly key: string;
	/** Where the key is from; empty when none is wanted. */
	readonly keyName: string;
	/** What comes before a model's own name when a person names it. */
	readonly prefix: string;
	/** What the service has, as far as it says so. */
	readonly served: readonly string[];
}

const NO_MODEL =
	/model.{0,80}(?:not found|does not exist|not exist|unknown|no such)|(?:unknown|no such|invalid) model/i;
const TOO_LONG =
	/context.{0,20}(?:length|size|window)|prompt is too long|too many tokens|maximum.{0,20}tokens/i;
const NO_TOOLS = /(?:does not|doesn't|not) support(?:ed)?.{0,30}tool|tool.{0,30}not supported/i;

/** Adds what the person can do about it, if we know: providers name neither our variables nor the address that was asked. */
export function explainRefusal(error: LoopError, asked: Asked): LoopError {
	const advice = findAdvice(error, asked);
	if (advice === undefined) return error;
	const said = error.message.replace(/([^.!?])$/, "$1.");
	return new LoopError(error.code, `${said} ${advice}`, error.facts);
}

/** A model that cannot call tools, in the words of the servers that say so. */
export function refusesTools({
	facts: { status = 0 },
	message,
}: Pick<LoopError, "facts" | "message">): boolean {
	return status >= 400 && status < 500 && NO_TOOLS.test(message);
}

/** Whether the service may not have the model: then what it has is worth a question. */
export function mayLackModel({
	facts: { status = 0 },
	message,
}: Pick<LoopError, "facts" | "message">): boolean {
	// Lists name models, and what a deployment is called is another matter.
	if (/deployment/i.test(message)) return false;
	return status === 404 || (status >= 400 && status < 500 && NO_MODEL.test(message));
}

function findAdvice({ facts: { status = 0 }, message }: LoopError, asked: Asked): string | undefined {
	const { key, keyName, model, served } = asked;
	if (status === 401 || status === 403)
		return key === "" ? "No API key was sent." : `The key is the one in ${keyName || "the login"}.`;
	if (status < 400 || status >= 500) return undefined;
	if (refusesTools({ facts: { status }, message }))
		return `${model} cannot call tools, and an agent works with nothing else. Take a model that can; deputize models lists those here.`;
	if (TOO_LONG.test(message))
		return "Ask for less, or take a model or a server setting with a longer context.";
	// Some lists have the publisher before the name, which need not be written.
	const isListed = served.some((name) => `/${name}`.endsWith(`/${model}`));
	if (NO_MODEL.test(message) || (served.length > 0 && !isListed)) return describeMissingModel(asked, message);
	return status === 404 ? describeAddress(asked) : undefined;
}

function describeMissingModel({ model, url, prefix, served }: Asked, message: string): string {
	const names = served.map((name) => `${prefix}${name}`);
	const there =
		names.length > 0 ? describeNearModels(`${prefix}${model}`, names) : "What is there: deputize models.";
	const isOllama = new URL(url).port === "11434" || /pull/i.test(message);
	return isOllama
		? `Get it with: ollama pull ${model}. ${there}`
		: `It was asked for as ${JSON.stringify(model)} at ${url}. ${there}`;
}

/** The address, and the usual one where it is another: a base URL is often written where an endpoint is wanted. */
function describeAddress({ url, provider, model }: Asked): string {
	const base = parseBaseUrl(url, "") ?? url;
	const usual = findDialect(base) === undefined ? toEndpoint(base, provider, model) : undefined;
	return `Asked was ${url}.${usual === undefined || usual === url ? "" : ` The usual address is ${usual}.`}`;
}
