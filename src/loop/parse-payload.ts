import { defined, findNearWord, isObject, isTextList, showValue, toOneLine } from "@deputize/ground";
import type { LoopChildExtension } from "../contract/loop.ts";
import { LOOP_PROVIDERS, type LoopProviderName } from "../contract/loop-providers.ts";
import { isToolName, TOOL_NAMES, TOOL_ROWS, type ToolName } from "../toolbox/tool-rows.ts";
import { badInput, type LoopError } from "./loop-error.ts";

const DEFAULT_MAX_TURNS = 25;
const DEFAULT_TEMPERATURE = 0.8;
const DEFAULT_OUTPUT_NAME = "structured_output";
const OUTPUT_NAME_PATTERN = /^[A-Za-z0-9_-]{1,64}$/;
const ENVIRONMENT_NAME_PATTERN = /^[A-Za-z_][A-Za-z0-9_]*$/;

export interface LoopPayload {
	readonly model: string;
	readonly provider: LoopProviderName;
	/** The complete endpoint; empty only for `offline`. */
	readonly url: string;
	readonly apiKeyName: string;
	readonly prompt: string;
	readonly systemPrompt: string;
	readonly tools: readonly ToolName[];
	readonly think: boolean;
	readonly temperature: number;
	readonly maxTokens?: number;
	readonly maxTurns: number;
	readonly output?: OutputRequest;
	readonly child?: LoopChildExtension;
	/** Fields that nobody knows here. */
	readonly ignored: readonly string[];
}

export type OutputRequest =
	| {
			readonly mode: "json_schema";
			readonly name: string;
			readonly schema: Readonly<Record<string, unknown>>;
	  }
	| { readonly mode: "json_object" };

const KNOWN_FIELDS = new Set([
	"model",
	"provider",
	"url",
	"api_key_name",
	"prompt",
	"system_prompt",
	"tool_subset",
	"think",
	"temperature",
	"max_tokens",
	"max_turns",
	"output_mode",
	"output_schema",
	"output_name",
]);
/** Added by this package's own runtime only; not offered to anybody else. */
const INTERNAL_FIELD = "child";

type Fields = Readonly<Record<string, unknown>>;

/**
 * The wall between stdin and the program: one named field in every refusal. Only a parent of ours may add what makes it a
 * child: that names files which are written and a directory which is removed.
 */
export function parsePayload(
	text: string,
	{ isFromParent }: { readonly isFromParent: boolean },
): LoopPayload {
	// Pipes of PowerShell begin with it.
	const fields = parseInput(text.replace(/^\uFEFF/, ""));
	const provider = readProvider(fields);
	const maxTokens = readPositiveInteger(fields, "max_tokens");
	const output = parseOutput(fields);
	const child = isFromParent ? readChild(fields) : undefined;
	return {
		model: readText(fields, "model", provider !== "offline"),
		provider,
		url: readUrl(fields, provider),
		apiKeyName: readKeyName(fields),
		prompt: readText(fields, "prompt", true),
		systemPrompt: readText(fields, "system_prompt"),
		tools: readTools(fields, child !== undefined),
		think: readField(fields, "think", "true or false", (value) => typeof value === "boolean") ?? false,
		temperature:
			readField(fields, "temperature", "a number from 0 to 2", isTemperature) ?? DEFAULT_TEMPERATURE,
		...defined({ maxTokens }),
		maxTurns: readPositiveInteger(fields, "max_turns") ?? DEFAULT_MAX_TURNS,
		...defined({ output, child }),
		ignored: Object.keys(fields).filter(
			(name) => !KNOWN_FIELDS.has(name) && !(isFromParent && name === INTERNAL_FIELD),
		),
	};
}

/** Clients of seed 004 may send fields of their own, such as an id; a misspelled one must not pass without a word. */
export function describeIgnoredFields(ignored: readonly string[]): readonly string[] {
	return ignored.map((name) => {
		const near = findNearWord(name, [...KNOWN_FIELDS]);
		const advice = near === undefined ? "" : ` Did you mean "${near}"?`;
		return `"${toOneLine(name)}" is not a field of the payload and was ignored.${advice}`;
	});
}

function invalidPayload(field: string, problem: string): LoopError {
	return badInput("invalid_payload", `Invalid payload: "${field}" ${problem}.`);
}

function parseInput(text: string): Fields {
	let value: unknown;
	try {
		value = JSON.parse(text);
	} catch (error) {
		const reason = text.trim() === "" ? "stdin was empty" : (error as Error).message;
		throw badInput("invalid_payload", `Invalid payload: expected one JSON object on stdin; ${reason}.`);
	}
	if (!isObject(value))
		throw badInput("invalid_payload", "Invalid payload: expected a JSON object on stdin.");
	// `null` is how other languages write an absent field.
	return Object.fromEntries(Object.entries(value).filter(([, entry]) => entry !== null));
}

function readProvider(fields: Fields): LoopProviderName {
	const value = fields["provider"];
	const known = LOOP_PROVIDERS.find((name) => name === value);
	if (known === undefined) {
		const problem = value === undefined ? "is missing" : `is ${showValue(value)}`;
		throw invalidPayload("provider", `${problem}; use one of ${LOOP_PROVIDERS.join(", ")}`);
	}
	return known;
}

/** A field of the right kind, or undefined where it is absent. */
function readField<Kind>(
	fields: Fields,
	name: string,
	expected: string,
	isRight: (value: unknown) => value is Kind,
): Kind | undefined {
	const value = fields[name];
	if (value === undefined || isRight(value)) return value;
	throw invalidPayload(name, `must be ${expected}, not ${showValue(value)}`);
}

function readText(fields: Fields, name: string, isRequired = false): string {
	const text = readField(fields, name, "a string", (value) => typeof value === "string");
	if (isRequired && text === undefined) throw invalidPayload(name, "is missing");
	if (isRequired && text?.trim() === "") throw invalidPayload(name, "must not be empty");
	return text ?? "";
}

function readPositiveInteger(fields: Fields, name: string): number | undefined {
	const isRight = (value: unknown): value is number => Number.isSafeInteger(value) && Number(value) >= 1;
	return readField(fields, name, "a whole number of at least 1", isRight);
}

function isTemperature(value: unknown): value is number {
	return typeof value === "number" && value >= 0 && value <= 2;
}

function readUrl(fields: Fields, provider: LoopProviderName): string {
	const text = readText(fields, "url", provider !== "offline");
	if (text === "") return text;
	const url = URL.canParse(text) ? new URL(text) : undefined;
	if (url === undefined || !["http:", "https:"].includes(url.protocol)) {
		throw invalidPayload("url", "must be the complete http or https address of the endpoint");
	}
	if (url.username !== "" || url.password !== "") {
		throw invalidPayload("url", "must not contain a user name or password; use api_key_name");
	}
	return text;
}

function readKeyName(fields: Fields): string {
	const name = readText(fields, "api_key_name");
	// A key pasted here by mistake must not be repeated in the message.
	if (name !== "" && !ENVIRONMENT_NAME_PATTERN.test(name)) {
		throw invalidPayload("api_key_name", "must be the name of an environment variable, not the key itself");
	}
	return name;
}

function readTools(fields: Fields, hasParent: boolean): readonly ToolName[] {
	const names = readField(fields, "tool_subset", "a list of tool names", isTextList) ?? [];
	// Only a parent opens a layer to work in.
	const isKnown = (name: string): boolean =>
		isToolName(name) && (hasParent || TOOL_ROWS[name].contract !== "layer");
	const unknown = [...new Set(names.filter((name) => !isKnown(name)))].sort();
	if (unknown.length > 0) throw badInput("invalid_payload", `Unknown tool names: ${unknown.join(", ")}`);
	return TOOL_NAMES.filter((name) => names.includes(name));
}

function parseOutput(fields: Fields): OutputRequest | undefined {
	const mode = fields["output_mode"];
	const name = readText(fields, "output_name");
	if (name !== "" && !OUTPUT_NAME_PATTERN.test(name)) {
		throw invalidPayload("output_name", "must be 1 to 64 letters, digits, underscores or hyphens");
	}
	const schema = readField(fields, "output_schema", "a JSON Schema object", isObject);
	if (mode === undefined || mode === "json_object") {
		if (schema !== undefined) throw invalidPayload("output_schema", 'needs "output_mode": "json_schema"');
		return mode && { mode };
	}
	if (mode !== "json_schema") {
		throw invalidPayload("output_mode", `must be "json_schema" or "json_object", not ${showValue(mode)}`);
	}
	if (schema === undefined)
		throw invalidPayload("output_schema", 'is missing; "output_mode" is "json_schema"');
	return { mode, name: name === "" ? DEFAULT_OUTPUT_NAME : name, schema };
}

/** Written by this package's own runtime: checked for its shape, so that a mistake there is named. */
function readChild(fields: Fields): LoopChildExtension | undefined {
	const value = readField(fields, INTERNAL_FIELD, "an object", isObject);
	if (value === undefined) return undefined;
	const finalize = value["finalize"];
	if (typeof value["agent"] !== "string") throw invalidPayload("child.agent", "must be a string");
	if (!isObject(finalize) || !["required", "text"].includes(String(finalize["mode"]))) {
		throw invalidPayload("child.finalize.mode", 'must be "required" or "text"');
	}
	if (!Number.isSafeInteger(finalize["max_corrections"])) {
		throw invalidPayload("child.finalize.max_corrections", "must be a whole number");
	}
	const { output } = finalize;
	if (output !== undefined && !isObject(output))
		throw invalidPayload("child.finalize.output", "must be a JSON Schema object");
	const session = value["session"];
	if (session !== undefined && !(isObject(session) && typeof session["file"] === "string")) {
		throw invalidPayload("child.session.file", "must be a path");
	}
	const price = value["price"];
	if (price !== undefined && !(isObject(price) && Object.values(price).every(Number.isFinite))) {
		throw invalidPayload("child.price", "must contain numbers");
	}
	const keys = value["keys"];
	if (
		keys !== undefined &&
		!(isObject(keys) && Object.values(keys).every((key) => typeof key === "string"))
	) {
		throw invalidPayload("child.keys", "must contain texts");
	}
	return value as unknown as LoopChildExtension;
}
