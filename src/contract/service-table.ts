import { isAmount, isObject, isTextList } from "@deputize/ground";
import { type ConfigKey, TIGHTEN } from "./config-key.ts";
import { LOOP_PROVIDERS } from "./loop-providers.ts";
import { CUSTOM_SERVICE, MODEL_SERVICES, type ServiceSettings, type ServiceTable } from "./model-services.ts";

const isWord = (value: unknown): boolean => typeof value === "string" && value.trim() !== "";
const isWhole = (value: unknown): boolean => Number.isSafeInteger(value) && (value as number) > 0;
const PRICES = ["input", "output", "cacheRead", "cacheWrite"];

const FIELDS: Readonly<Record<keyof ServiceSettings, (value: unknown) => boolean>> = {
	baseUrl: (value) => typeof value === "string" && /^https?:\/\/\S+$/.test(value),
	dialect: (value) => value !== "offline" && LOOP_PROVIDERS.some((name) => name === value),
	model: isWord,
	keyEnv: (value) => typeof value === "string" && /^[A-Za-z_][A-Za-z0-9_]*$/.test(value),
	keyCommand: (value) => isTextList(value) && value.length > 0 && value.every(isWord),
	headers: (value) => isObject(value) && Object.entries(value).every(isHeader),
	price: (value) => isObject(value) && isPrice(value),
	contextLength: isWhole,
	maxTokens: isWhole,
};

/** Services of models. Only the user decides who reads the user's files, so a project has no say. */
export function serviceTable(about: string): ConfigKey<ServiceTable> {
	return {
		byDefault: {},
		about,
		expected: `a table of services, each with any of ${Object.keys(FIELDS).join(", ")}; one of your own needs baseUrl`,
		accepts: (value) => isObject(value) && Object.entries(value).every(isService),
		tighten: TIGHTEN.noSay,
	};
}

function isService([name, settings]: readonly [string, unknown]): boolean {
	if (!/^[a-z0-9][a-z0-9._-]*$/i.test(name) || [CUSTOM_SERVICE, "offline"].includes(name)) return false;
	if (!isObject(settings) || !(Object.hasOwn(MODEL_SERVICES, name) || "baseUrl" in settings)) return false;
	return Object.entries(settings).every(
		([field, value]) => Object.hasOwn(FIELDS, field) && FIELDS[field as keyof ServiceSettings](value),
	);
}

function isPrice(price: object): boolean {
	const amounts = Object.entries(price);
	return (
		"input" in price &&
		"output" in price &&
		amounts.every(([kind, value]) => PRICES.includes(kind) && isAmount(value))
	);
}

/** Keys are in variables or come from a command; a file that is shared or shown must not contain one. */
function isHeader([name, value]: readonly [string, unknown]): boolean {
	const isSecret = /^(?:authorization|proxy-authorization|cookie|.*(?:api[-_]?key|token|secret).*)$/i.test(
		name,
	);
	return (
		/^[!#$%&'*+.^_`|~\w-]+$/.test(name) &&
		!isSecret &&
		typeof value === "string" &&
		/^[\x20-\x7e]*$/.test(value)
	);
}
