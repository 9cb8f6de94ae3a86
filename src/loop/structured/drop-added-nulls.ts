import { asList, isObject, type JsonObject, resolveReference } from "@deputize/ground";
import type { JsonSchema } from "../../contract/tool.ts";

const MAX_DEPTH = 100;

/**
 * Undoes what asking for every property did to the answer: an optional property that came back as null was absent.
 * Only where the caller's own schema does not want the null.
 */
export function dropAddedNulls(value: unknown, root: JsonSchema): unknown {
	return dropNulls(value, root, root, 0);
}

function dropNulls(value: unknown, node: unknown, root: JsonSchema, depth: number): unknown {
	if (depth > MAX_DEPTH) return value;
	const shapes = listShapes(node, root, depth);
	if (Array.isArray(value)) {
		const items = shapes.map((shape) => shape["items"]).find((shape) => shape !== undefined);
		return value.map((entry) => dropNulls(entry, items, root, depth + 1));
	}
	if (!isObject(value)) return value;
	const kept = Object.entries(value).flatMap(([name, entry]): [string, unknown][] => {
		const owner = shapes.find((shape) => isObject(shape["properties"]) && name in shape["properties"]);
		if (owner === undefined) return [[name, entry]];
		const child = (owner["properties"] as JsonObject)[name];
		const isOptional = !asList(owner["required"]).includes(name);
		if (entry === null && isOptional && !acceptsNull(child, root, depth + 1)) return [];
		return [[name, dropNulls(entry, child, root, depth + 1)]];
	});
	return Object.fromEntries(kept);
}

/** The schema itself and what it is made of: the target of a reference, the branches of a choice. */
function listShapes(node: unknown, root: JsonSchema, depth: number): readonly JsonObject[] {
	if (!isObject(node) || depth > MAX_DEPTH) return [];
	const reference = node["$ref"];
	const target = typeof reference === "string" ? [resolveReference(root, reference)] : [];
	const parts = [...target, ...asList(node["anyOf"]), ...asList(node["oneOf"]), ...asList(node["allOf"])];
	return [node, ...parts.flatMap((part) => listShapes(part, root, depth + 1))];
}

function acceptsNull(node: unknown, root: JsonSchema, depth: number): boolean {
	return listShapes(node, root, depth).some(
		(shape) =>
			shape["type"] === "null" ||
			asList(shape["type"]).includes("null") ||
			asList(shape["enum"]).includes(null) ||
			("const" in shape && shape["const"] === null),
	);
}
