import { isObject, type JsonObject, parseJson, showValue, ToolError } from "@deputize/ground";
import type { JsonSchema } from "./tool.ts";

interface TypesByName {
	readonly string: string;
	readonly number: number;
	readonly integer: number;
	readonly boolean: boolean;
	/** Lists of tools are lists of texts. */
	readonly array: readonly string[];
}

type FieldOf<Field> = Field extends { readonly type: infer Name }
	? TypesByName[(Name extends readonly unknown[] ? Name[number] : Name) & keyof TypesByName]
	: unknown;

/** What a call with this schema contains, once it is parsed. Schemas that are put together at run time say nothing. */
export type InputOf<Schema> = Schema extends { readonly properties: infer Fields }
	? Schema extends { readonly required: readonly (infer Required)[] }
		? { readonly [Name in keyof Fields & Required]: FieldOf<Fields[Name]> } & {
				readonly [Name in Exclude<keyof Fields, Required>]?: FieldOf<Fields[Name]>;
			}
		: { readonly [Name in keyof Fields]?: FieldOf<Fields[Name]> }
	: JsonObject;

/**
 * The arguments of a call, checked against the tool's own schema: one rule for every tool.
 * - `null` is absent, and so is an empty string in an optional field: models send them for what they leave out.
 * - Numbers and booleans may arrive as strings, and a list as JSON in a string or as its only entry.
 * - A number above its maximum is lowered to it; one below its minimum is refused.
 * - An unknown field is refused by name: ignoring a misspelled one would answer another question.
 */
export function parseToolInput<Schema extends JsonSchema>(input: unknown, schema: Schema): InputOf<Schema> {
	if (!isObject(input)) throw invalidInput("The arguments must be one JSON object.");
	const properties = (schema["properties"] ?? {}) as Readonly<Record<string, JsonSchema>>;
	const required = (schema["required"] ?? []) as readonly string[];
	refuseUnknownFields(input, properties);
	const fields: JsonObject = {};
	for (const [name, property] of Object.entries(properties)) {
		const given = Object.hasOwn(input, name) ? input[name] : undefined;
		const isRequired = required.includes(name);
		const isAbsent = given === undefined || given === null || (given === "" && !isRequired);
		if (isAbsent && isRequired) throw invalidInput(`${name} is missing.`);
		if (!isAbsent) fields[name] = parseField(name, given, property);
	}
	return fields as InputOf<Schema>;
}

function refuseUnknownFields(input: JsonObject, properties: JsonSchema): void {
	const unknown = Object.keys(input).find((name) => !Object.hasOwn(properties, name));
	if (unknown === undefined) return;
	const known = Object.keys(properties).join(", ") || "none";
	throw invalidInput(`Unknown field ${showValue(unknown)}. Known: ${known}.`);
}

function parseField(name: string, value: unknown, schema: JsonSchema): unknown {
	const types: readonly unknown[] = Array.isArray(schema["type"]) ? schema["type"] : [schema["type"]];
	if (types.includes("string") && (typeof value === "string" || types.length === 1))
		return parseText(name, value, schema);
	if (types.includes("integer") || types.includes("number"))
		return parseNumber(name, value, schema, types.includes("integer"));
	if (types.includes("boolean")) return parseFlag(name, value);
	if (types.includes("array")) return parseList(name, value, schema);
	return value;
}

function parseText(name: string, value: unknown, schema: JsonSchema): string {
	if (typeof value !== "string") throw invalidInput(`${name} must be a string, not ${showValue(value)}.`);
	if (value.includes("\0")) throw invalidInput(`${name} contains a NUL character.`);
	const { minLength, maxLength, enum: choices } = schema;
	if (typeof minLength === "number" && value.trim().length < minLength)
		throw invalidInput(`${name} must not be empty.`);
	if (typeof maxLength === "number" && value.length > maxLength)
		throw invalidInput(`${name} has ${value.length} characters; the limit is ${maxLength}.`);
	if (Array.isArray(choices) && !choices.includes(value))
		throw invalidInput(
			`${name} must be one of ${choices.filter((choice) => choice !== "").join(", ")}, not ${showValue(value)}.`,
		);
	return value;
}

function parseNumber(name: string, value: unknown, schema: JsonSchema, whole: boolean): number {
	const number =
		typeof value === "string" && /^\s*-?\d{1,15}(\.\d{1,9})?\s*$/.test(value) ? Number(value) : value;
	const isValid =
		typeof number === "number" && (whole ? Number.isSafeInteger(number) : Number.isFinite(number));
	if (!isValid)
		throw invalidInput(`${name} must be a ${whole ? "whole " : ""}number, not ${showValue(value)}.`);
	const { minimum, maximum } = schema;
	if (typeof minimum === "number" && number < minimum)
		throw invalidInput(`${name} must be at least ${minimum}, not ${number}.`);
	return typeof maximum === "number" ? Math.min(number, maximum) : number;
}

function parseFlag(name: string, value: unknown): boolean {
	if (value === true || value === "true") return true;
	if (value === false || value === "false") return false;
	throw invalidInput(`${name} must be true or false, not ${showValue(value)}.`);
}

function parseList(name: string, value: unknown, schema: JsonSchema): readonly unknown[] {
	const list = unpackList(value);
	if (list === undefined) throw invalidInput(`${name} must be a list, not ${showValue(value)}.`);
	const { items, maxItems } = schema;
	if (typeof maxItems === "number" && list.length > maxItems)
		throw invalidInput(`${name} has ${list.length} entries; the limit is ${maxItems} per call.`);
	const present = list.filter((entry) => entry !== null);
	return isObject(items)
		? present.map((entry) => parseField(`every entry of ${name}`, entry, items))
		: present;
}

function unpackList(value: unknown): readonly unknown[] | undefined {
	if (Array.isArray(value)) return value;
	if (typeof value !== "string") return undefined;
	const parsed = parseJson(value);
	return Array.isArray(parsed) ? parsed : [value];
}

export function invalidInput(message: string): ToolError<"INVALID_INPUT"> {
	return new ToolError("INVALID_INPUT", message);
}
