/** What a call asks for, checked. */
export interface ConvertRequest {
	readonly source: { readonly kind: "path" | "url"; readonly value: string };
	readonly maxContentChars: number;
	readonly timeoutMs: number;
	readonly offset: number;
}

const MAX_CONTENT_CHARS = 200_000;
const MAX_TIMEOUT_MS = 300_000;

export const CONVERT_PARAMETERS = {
	type: "object",
	additionalProperties: false,
	properties: {
		path: {
			type: "string",
			minLength: 1,
			description: "File inside the working directory. Give this or url.",
		},
		url: { type: "string", minLength: 1, description: "http or https address. Give this or path." },
		maxContentChars: {
			type: "integer",
			minimum: 1,
			maximum: MAX_CONTENT_CHARS,
			description: "Characters of Markdown to return.",
		},
		offset: {
			type: "integer",
			minimum: 0,
			description: "Character of the Markdown to start at: the next offset a cut answer names.",
		},
		timeoutMs: {
			type: "integer",
			minimum: 1,
			maximum: MAX_TIMEOUT_MS,
			description: "Deadline in milliseconds.",
		},
	},
} as const;

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
