import { isObject, type JsonObject } from "./json-values.ts";

/** What a `$ref` of a JSON Schema means. Only references inside the same schema. */
export function resolveReference(schema: Readonly<JsonObject>, reference: string): unknown {
	if (!reference.startsWith("#")) return undefined;
	let node: unknown = schema;
	for (const part of reference.slice(1).split("/").slice(1)) {
		const key = decodeURIComponent(part).replaceAll("~1", "/").replaceAll("~0", "~");
		node = isObject(node) ? node[key] : undefined;
	}
	return node;
}
