import { defined, type Environment, findNearWord, messageOf } from "@deputize/ground";
import { PROVIDER_VARIABLES } from "../../config/provider-variables.ts";
import { DelegationError } from "../../contract/error-codes.ts";
import { LOOP_PROVIDERS, type LoopProviderName } from "../../contract/loop-providers.ts";
import {
	CUSTOM_SERVICE,
	MODEL_SERVICES,
	type ModelService,
	type ServiceSettings,
	type ServiceTable,
} from "../../contract/model-services.ts";
import { isOfflineModel, OFFLINE_MODEL } from "../../contract/offline-model.ts";
import { splitModel } from "../../contract/split-model.ts";
import { findDialect, parseBaseUrl, toEndpoint } from "../../contract/to-endpoint.ts";
import type { TokenKinds } from "../../contract/usage.ts";

/** A model, where it is served and how it is asked. */
export interface LoopModel
	extends Pick<ServiceSettings, "headers" | "keyCommand" | "contextLength" | "maxTokens"> {
	/** As it is shown, and as it is found again. */
	readonly name: string;
	readonly provider: LoopProviderName;
	/** As the service is asked for it. */
	readonly model: string;
	readonly url: string;
	/** Empty when no key is sent. */
	readonly apiKeyName: string;
	readonly price?: TokenKinds;
}

/** What decides where a model is served. */
export interface ServicePlace {
	readonly env: Environment;
	/** `models` of the configuration. */
	readonly models: ServiceTable;
}

/** Our own name for the variable in which the child gets a key that a command printed. */
const COMMAND_KEY_NAME = "DEPUTIZE_MODEL_KEY";

const OFFLINE: LoopModel = {
	name: OFFLINE_MODEL,
	provider: "offline",
	model: "navigator",
	url: "",
	apiKeyName: "",
};

/** Where a model is served. Refuses rather than sending a request that cannot succeed, or that goes somewhere else. */
export function resolveLoopModel(named: string, place: ServicePlace): LoopModel {
	if (named === "offline" || isOfflineModel(named)) return OFFLINE;
	const { env } = place;
	const found = read(env, "DEPUTIZE_LOOP_URL") ? readEndpoint(named, env) : findService(named, place);
	return { ...found, ...readMaxTokens(env), ...readPrice(env) };
}

/** Why a model cannot be used here; undefined when it can. */
export function checkLoopModel(named: string, place: ServicePlace): string | undefined {
	try {
		resolveLoopModel(named, place);
		return undefined;
	} catch (error) {
		return messageOf(error);
	}
}

/** The name of a model that nobody named, and why it is that one. */
interface DefaultModel {
	readonly name: string;
	readonly why: string;
}

/** Of the first service with a key, or with an address of the user's, that says by itself which model is meant. */
export function findKeyDefault(place: ServicePlace): DefaultModel | undefined {
	for (const [name, { keyNames, defaultModel }] of listServices(place)) {
		const model = place.models[name]?.model ?? defaultModel;
		const source =
			findKeyName(name, place) ??
			(place.models[name]?.keyCommand && `models.${name}.keyCommand`) ??
			(keyNames.length > 0 ? findAddressName(name, place.env) : undefined);
		if (model !== undefined && source) return { name: `${name}/${model}`, why: `${source} is set` };
	}
	return undefined;
}

/** Of a server without a key that the configuration names together with a model. */
export function findLocalDefault(place: ServicePlace): DefaultModel | undefined {
	for (const [service, { model }] of Object.entries(place.models)) {
		const name = `${service}/${model}`;
		if (model !== undefined && checkLoopModel(name, place) === undefined)
			return { name, why: `models.${service}.model` };
	}
	return undefined;
}

/** Variables with the key of a service that serves so many models that one must be named, with an example. */
export function listKeysWithoutModel(place: ServicePlace): readonly string[] {
	return listServices(place).flatMap(([name, { defaultModel, example }]) => {
		const keyName = defaultModel === undefined ? findKeyName(name, place) : undefined;
		return keyName ? [`${keyName} is set, but no model is named: --model ${name}/${example}`] : [];
	});
}

/** The variable with the user's own address of a service, when there is one. */
export function findAddressName(service: string, env: Environment): string | undefined {
	const row = Object.hasOwn(MODEL_SERVICES, service) ? MODEL_SERVICES[service] : undefined;
	return row?.addressNames.find((name) => read(env, name));
}

/** Served by this runtime and unknown to pi under that name: a server of the user's, as a rule. */
export function isOwnService(named: string, { models }: Pick<ServicePlace, "models">): boolean {
	const { provider } = splitModel(named);
	const isKnown = Object.hasOwn(MODEL_SERVICES, provider) || Object.hasOwn(models, provider);
	return isKnown && !Object.hasOwn(PROVIDER_VARIABLES, provider);
}

/** Every service that can be named here, the package's own first. */
export function listServices({
	models,
}: Pick<ServicePlace, "models">): readonly (readonly [string, ModelService])[] {
	const own = Object.entries(models)
		.filter(([name]) => !Object.hasOwn(MODEL_SERVICES, name))
		.map(([name, settings]) => [name, toOwnRow(settings)] as const);
	return [...Object.entries(MODEL_SERVICES), ...own];
}

function toOwnRow({
	dialect = "openai-chat",
	baseUrl = "",
	keyEnv,
	model = "",
}: ServiceSettings): ModelService {
	return { dialect, baseUrl, keyNames: keyEnv ? [keyEnv] : [], addressNames: [], example: model };
}

/** The variable with a service's key; undefined when none is set. */
function findKeyName(service: string, { env, models }: ServicePlace): string | undefined {
	const { keyEnv } = models[service] ?? {};
	const names = keyEnv ? [keyEnv] : (MODEL_SERVICES[service]?.keyNames ?? []);
	return names.find((name) => read(env, name));
}

/** The value of a variable; one that is empty or blank counts as not set. */
function read(env: Environment, name: string): string {
	return env[name]?.trim() ?? "";
}

/** `DEPUTIZE_LOOP_URL` is where every model is asked for, whatever its name: whoever sets it wants no other address. */
function readEndpoint(named: string, env: Environment): LoopModel {
	const written = read(env, "DEPUTIZE_LOOP_URL");
	const base = parseBaseUrl(written, "");
	if (base === undefined) throw refuseAddress("DEPUTIZE_LOOP_URL", written);
	const asked = readAskedDialect(env);
	const provider = asked ?? findDialect(base) ?? "openai-chat";
	const { provider: service, name } = splitModel(named);
	const isPrefix = service === CUSTOM_SERVICE || Object.hasOwn(MODEL_SERVICES, service);
	// A name from the variable is the server's own, which may begin like a service of ours: `openai/gpt-oss-20b`.
	const model = isPrefix && named !== read(env, "DEPUTIZE_LOOP_MODEL") ? name : named;
	const isBase = /\/v\d[^/]*$/.test(base);
	return {
		name: named,
		provider,
		model,
		url: isBase ? toEndpoint(base, provider, model) : written,
		apiKeyName: read(env, "DEPUTIZE_LOOP_API_KEY_NAME"),
	};
}

function readAskedDialect(env: Environment): LoopProviderName | undefined {
	const name = read(env, "DEPUTIZE_LOOP_PROVIDER");
	const provider = LOOP_PROVIDERS.find((candidate) => candidate === name);
	if (name === "" || provider !== undefined) return provider;
	throw refuseModel(
		`DEPUTIZE_LOOP_PROVIDER is ${JSON.stringify(name)}; use one of ${LOOP_PROVIDERS.join(", ")}`,
	);
}

function findService(named: string, place: ServicePlace): LoopModel {
	const services = listServices(place);
	const split = splitModel(named);
	const direct = services.find(([name]) => name === split.provider);
	if (direct) return describeServed(direct, split.name, place);
	// `hf.co/unsloth/Qwen3-GGUF:Q4` is a name as a whole. A name alone says less than a server of the user's own.
	const isUsable = ([name]: (typeof services)[number]): boolean =>
		findAddressName(name, place.env) !== undefined ||
		Object.hasOwn(place.models, name) ||
		(split.provider === "" && findKeyName(name, place) !== undefined);
	const usable = services
		.filter(isUsable)
		.filter(([name]) => split.provider === "" || isOwnService(`${name}/`, place));
	const [only, ...others] = usable;
	const meant = findMisspelledService(split.provider, services);
	if (only && others.length === 0) {
		if (meant === undefined) return describeServed(only, named, place);
		throw refuseModel(
			`there is no service ${JSON.stringify(split.provider)}. Did you mean ${meant}/${split.name}? A model of ${only[0]} that is called so is ${only[0]}/${named}`,
		);
	}
	throw refuseModel(
		usable.length > 0
			? `${usable.length} services could be meant by ${JSON.stringify(named)}. Name one: ${usable.map(([name]) => `${name}/${named}`).join(", ")}`
			: `it is not known where ${JSON.stringify(named)} is served. Name it as service/model (${services.map(([name]) => name).join(", ")}), add the service to "models" in deputize.json, set DEPUTIZE_LOOP_URL, or install pi if it is a model of pi`,
	);
}

/** `wrok` for `work`. A longer name is a publisher's, as in `mistralai/Mistral-7B`, and so is one with the same letters, as in `x-ai/grok`. */
function findMisspelledService(
	word: string,
	services: readonly (readonly [string, ModelService])[],
): string | undefined {
	const near = findNearWord(
		word,
		services.map(([name]) => name),
	);
	const toLetters = (name: string): string => name.toLowerCase().replace(/[^a-z0-9]/g, "");
	return near !== undefined && toLetters(word).startsWith(toLetters(near)) ? undefined : near;
}

function describeServed(
	[service, row]: readonly [string, ModelService],
	model: string,
	place: ServicePlace,
): LoopModel {
	const {
		price,
		baseUrl: _,
		dialect: __,
		model: ___,
		keyEnv,
		keyCommand,
		...more
	} = place.models[service] ?? {};
	const name = `${service}/${model}`;
	if (model === "") throw refuseModel(`${name} names no model. An example: ${service}/${row.example}`);
	const { base, isOwn } = chooseBaseUrl([service, row], place);
	const apiKeyName = keyCommand ? COMMAND_KEY_NAME : (findKeyName(service, place) ?? "");
	const keyNames = keyEnv ? [keyEnv] : row.keyNames;
	// A server of the user's own may have none.
	if (apiKeyName === "" && keyNames.length > 0 && (keyEnv || !isOwn))
		throw refuseModel(`${name} needs a key in ${keyNames.join(" or ")}, which is not set`);
	const provider = chooseDialect([service, row], base, place);
	return {
		name,
		provider,
		model,
		url: toEndpoint(base, provider, model),
		apiKeyName,
		...more,
		...defined({ keyCommand, price: price && { cacheRead: price.input, cacheWrite: price.input, ...price } }),
	};
}

/** The user's variable wins over the user's file, and that over the usual address. */
function chooseBaseUrl(
	[service, row]: readonly [string, ModelService],
	{ env, models }: ServicePlace,
): { readonly base: string; readonly isOwn: boolean } {
	const variable = findAddressName(service, env);
	const configured = models[service]?.baseUrl;
	const written = variable ? read(env, variable) : (configured ?? row.findBaseUrl?.(env) ?? row.baseUrl);
	if (written === "")
		throw refuseModel(
			`the address of ${service} is not known. Set ${row.addressNames.join(" or ") || "GOOGLE_CLOUD_PROJECT"}, or models.${service}.baseUrl in deputize.json`,
		);
	const base = parseBaseUrl(written, row.baseUrl);
	if (base === undefined) throw refuseAddress(variable ?? `models.${service}.baseUrl`, written);
	return { base, isOwn: variable !== undefined || configured !== undefined };
}

/** Every server that poses as OpenAI speaks its older dialect, and only OpenAI itself is sure to speak the newer one. */
function chooseDialect(
	[service, { dialect, baseUrl }]: readonly [string, ModelService],
	base: string,
	{ env, models }: ServicePlace,
): LoopProviderName {
	const asked = models[service]?.dialect ?? findDialect(base);
	if (asked !== undefined) return asked;
	const isElsewhere = baseUrl !== "" && new URL(baseUrl).host !== new URL(base).host;
	if (dialect !== "openai-responses" || !isElsewhere) return dialect;
	return readAskedDialect(env) === "openai-responses" ? dialect : "openai-chat";
}

function readMaxTokens(env: Environment): { maxTokens?: number } {
	const text = read(env, "DEPUTIZE_LOOP_MAX_TOKENS");
	if (text === "") return {};
	const value = Number(text);
	if (!Number.isSafeInteger(value) || value < 1)
		throw refuseModel("DEPUTIZE_LOOP_MAX_TOKENS must be a whole number");
	return { maxTokens: value };
}

/** US dollars for a million tokens: input, output, and optionally cached input and writing to the cache. */
function readPrice(env: Environment): { price?: TokenKinds } {
	const text = read(env, "DEPUTIZE_LOOP_PRICE");
	if (text === "") return {};
	const [input = 0, output = 0, cacheRead = input, cacheWrite = input, ...rest] = text.split(",").map(Number);
	const price = { input, output, cacheRead, cacheWrite };
	if (rest.length > 0 || !Object.values(price).every((value) => Number.isFinite(value) && value >= 0)) {
		throw refuseModel('DEPUTIZE_LOOP_PRICE must be two to four numbers, such as "3,15,0.3,3.75"');
	}
	return { price };
}

function refuseAddress(where: string, written: string): DelegationError {
	// An address may contain a password.
	const shown = written.includes("@") ? "an address with a user name" : JSON.stringify(written);
	return refuseModel(
		`${where} is ${shown}; use an http or https address without a user name, such as http://127.0.0.1:11434/v1`,
	);
}

export function refuseModel(problem: string): DelegationError {
	return new DelegationError("SUBAGENT_FAILED", `Nothing was started: ${problem}.`);
}
