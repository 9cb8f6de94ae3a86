import { asList, defined, isObject, type JsonObject, omit, resolveReference } from "@deputize/ground";
import type { JsonSchema } from "../../contract/tool.ts";

/** The two sets of rules providers enforce on a schema. */
export type SchemaTarget = "openai" | "anthropic";

/** Thrown while walking: this schema cannot be expressed in the provider's subset. */
class NotRepresentableError extends Error {}

const NEVER = [
	"not",
	"if",
	"then",
	"else",
	"patternProperties",
	"dependentRequired",
	"dependentSchemas",
	"dependencies",
	"propertyNames",
	"prefixItems",
	"contains",
	"unevaluatedProperties",
	"unevaluatedItems",
	"$dynamicRef",
	"$recursiveRef",
];
/** Constraints Anthropic's grammar does not know; they are described in words and checked afterwards. */
const ANTHROPIC_TOLD_IN_WORDS = [
	"minLength",
	"maxLength",
	"pattern",
	"minimum",
	"maximum",
	"exclusiveMinimum",
	"exclusiveMaximum",
	"multipleOf",
	"maxItems",
	"uniqueItems",
	"minProperties",
	"maxProperties",
];
const ANTHROPIC_FORMATS = new Set(
	"date-time time date duration email hostname uri ipv4 ipv6 uuid".split(" "),
);
const OPENAI_DROPPED = ["default", "examples", "$comment"];

/**
 * The schema in the subset a provider accepts, or undefined when that cannot be done. A schema that conforms comes
 * back equal. The caller's object is never changed, and answers are checked against the caller's schema, so a
 * constraint that is lost here is not lost in the end.
 */
export function normalizeSchema(schema: JsonSchema, target: SchemaTarget): JsonSchema | undefined {
	try {
		if (schema["type"] !== "object" || schema["anyOf"] !== undefined || schema["oneOf"] !== undefined) {
			return undefined;
		}
		if (target === "anthropic" && isRecursive(schema)) return undefined;
		return normalizeNode(schema, target);
	} catch (error) {
		if (error instanceof NotRepresentableError) return undefined;
		throw error;
	}
}

function normalizeNode(node: unknown, target: SchemaTarget): JsonObject {
	if (!isObject(node) || NEVER.some((keyword) => node[keyword] !== undefined)) {
		throw new NotRepresentableError();
	}
	if (typeof node["$ref"] === "string") return node;
	const result = Object.fromEntries(
		Object.entries(inlineAllOf(node, target)).map(([keyword, value]) =>
			normalizeKeyword(keyword, value, target),
		),
	);
	if ((hasType(result, "array") && result["items"] === undefined) || !hasAnyType(result)) {
		throw new NotRepresentableError();
	}
	const isClosable = hasType(result, "object") || isObject(result["properties"]);
	const closed = isClosable ? closeObject(result, target) : result;
	return target === "anthropic" ? tellInWords(closed) : omit(closed, ...OPENAI_DROPPED);
}

function inlineAllOf(node: JsonObject, target: SchemaTarget): JsonObject {
	const branches = asList(node["allOf"]);
	if (branches.length > 1) throw new NotRepresentableError();
	return branches.length === 1 ? { ...omit(node, "allOf"), ...normalizeNode(branches[0], target) } : node;
}

function normalizeKeyword(keyword: string, value: unknown, target: SchemaTarget): [string, unknown] {
	if (keyword === "oneOf" || keyword === "anyOf") {
		return ["anyOf", asList(value).map((branch) => normalizeNode(branch, target))];
	}
	if (keyword === "properties" || keyword === "$defs" || keyword === "definitions") {
		return [keyword, mapValues(value, (child) => normalizeNode(child, target))];
	}
	return [keyword, keyword === "items" ? normalizeNode(value, target) : value];
}

function hasAnyType(node: JsonObject): boolean {
	return ["type", "anyOf", "enum", "const", "$ref"].some((keyword) => node[keyword] !== undefined);
}

function hasType({ type }: JsonObject, name: string): boolean {
	return type === name || asList(type).includes(name);
}

function closeObject(node: JsonObject, target: SchemaTarget): JsonObject {
	const extra = node["additionalProperties"];
	// An open map has no closed form.
	if (extra !== undefined && extra !== false) throw new NotRepresentableError();
	const properties = isObject(node["properties"]) ? node["properties"] : {};
	const closed: JsonObject = extra === false ? node : { ...node, additionalProperties: false };
	if (target === "anthropic") return closed;
	const names = Object.keys(properties);
	const required = asList(node["required"]);
	if (names.every((name) => required.includes(name))) {
		return names.length === 0 || node["required"] !== undefined ? closed : { ...closed, required: [] };
	}
	return {
		...closed,
		properties: mapValues(properties, (child, name) => (required.includes(name) ? child : allowNull(child))),
		required: names,
	};
}

/** An optional property is one that may be null, where every property must be given. */
function allowNull(child: unknown): JsonObject {
	const node = isObject(child) ? child : {};
	const type = node["type"];
	const isPlain = node["enum"] === undefined && node["const"] === undefined && node["anyOf"] === undefined;
	if (hasType(node, "null")) return node;
	if (isPlain && typeof type === "string") return { ...node, type: [type, "null"] };
	if (isPlain && Array.isArray(type)) return { ...node, type: [...type, "null"] };
	const { description, ...rest } = node;
	return { anyOf: [rest, { type: "null" }], ...defined({ description }) };
}

function tellInWords(node: JsonObject): JsonObject {
	const told = Object.entries(node).filter(
		([keyword, value]) =>
			ANTHROPIC_TOLD_IN_WORDS.includes(keyword) ||
			(keyword === "minItems" && value !== 0 && value !== 1) ||
			(keyword === "format" && !ANTHROPIC_FORMATS.has(String(value))),
	);
	if (told.length === 0) return node;
	const words = told.map(([keyword, value]) => `${keyword}: ${JSON.stringify(value)}`).join(", ");
	const description =
		typeof node["description"] === "string" ? `${node["description"]} (${words})` : `(${words})`;
	return { ...omit(node, ...told.map(([keyword]) => keyword)), description };
}

function isRecursive(schema: JsonSchema): boolean {
	const visiting = new Set<string>();
	const visit = (node: unknown): boolean => {
		if (Array.isArray(node)) return node.some(visit);
		if (!isObject(node)) return false;
		const reference = node["$ref"];
		if (typeof reference === "string") {
			if (reference === "#" || visiting.has(reference)) return true;
			visiting.add(reference);
			const found = visit(resolveReference(schema, reference));
			visiting.delete(reference);
			return found;
		}
		return Object.entries(node).some(
			([key, value]) => key !== "$defs" && key !== "definitions" && visit(value),
		);
	};
	return visit(schema);
}

function mapValues(value: unknown, map: (child: unknown, name: string) => unknown): JsonObject {
	if (!isObject(value)) throw new NotRepresentableError();
	return Object.fromEntries(Object.entries(value).map(([name, child]) => [name, map(child, name)]));
}
