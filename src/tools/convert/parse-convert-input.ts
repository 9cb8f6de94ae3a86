import { CONVERT_PARAMETERS, MAX_CONTENT_CHARS, MAX_TIMEOUT_MS } from "./convert-parameters.ts";

/** What a call asks for, checked. */
export interface ConvertRequest {
	readonly source: { readonly kind: "path" | "url"; readonly value: string };
	readonly maxContentChars: number;
	readonly timeoutMs: number;
	readonly offset: number;
}

type Parsed =
	| { readonly ok: true; readonly request: ConvertRequest }
	| { readonly ok: false; readonly message: string };

const refuse = (message: string): Parsed => ({ ok: false, message });

/** Strict: an unknown field is an error that names it, because a misspelt `maxContentChars` would go unnoticed. */
export function parseConvertInput(
	input: unknown,
	defaults: { readonly maxContentChars: number; readonly timeoutMs: number },
): Parsed {
	if (typeof input !== "object" || input === null || Array.isArray(input))
		return refuse("Give an object with either path or url.");
	const fields = input as Readonly<Record<string, unknown>>;
	const unknown = Object.keys(fields).find((name) => !Object.hasOwn(CONVERT_PARAMETERS.properties, name));
	if (unknown !== undefined)
		return refuse(
			`Unknown field "${unknown}". Known: ${Object.keys(CONVERT_PARAMETERS.properties).join(", ")}.`,
		);
	const source = parseSource(fields["path"], fields["url"]);
	if (typeof source === "string") return refuse(source);
	const numbers = {
		maxContentChars: parseNumber(fields["maxContentChars"], defaults.maxContentChars, 1, MAX_CONTENT_CHARS),
		timeoutMs: parseNumber(fields["timeoutMs"], defaults.timeoutMs, 1, MAX_TIMEOUT_MS),
		offset: parseNumber(fields["offset"], 0, 0, Number.MAX_SAFE_INTEGER),
	};
	for (const [name, value] of Object.entries(numbers))
		if (typeof value === "string") return refuse(`${name} ${value}.`);
	return { ok: true, request: { source, ...(numbers as Record<keyof typeof numbers, number>) } };
}

/** A string is the reason why not. */
function parseSource(path: unknown, url: unknown): ConvertRequest["source"] | string {
	if ((path === undefined) === (url === undefined)) return "Give exactly one of path and url.";
	const kind = path === undefined ? "url" : "path";
	const value = path ?? url;
	if (typeof value !== "string" || value.trim() === "") return `${kind} must be a non-empty string.`;
	if (value.includes("\0")) return `${kind} must not contain a zero byte.`;
	return { kind, value };
}

function parseNumber(value: unknown, fallback: number, least: number, most: number): number | string {
	if (value === undefined) return fallback;
	if (typeof value !== "number" || !Number.isInteger(value))
		return `must be a whole number, not ${JSON.stringify(value)}`;
	if (value < least) return `must be at least ${least}, not ${value}`;
	return value > most ? `must be at most ${most}, not ${value}` : value;
}
