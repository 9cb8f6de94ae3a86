import { join } from "node:path";
import { readJsonFile } from "@deputize/ground";

const MAX_DEPTH = 6;
/** Fields of these files that are not secret: hiding them would black out ordinary words. */
const HARMLESS = /^(type|provider|baseUrl|api|id|name|email|accountId|projectId|enterpriseUrl)$/;

/** Every secret pi keeps in its own files, so that it can be recognized wherever it turns up. Never shown. */
export function readStoredKeys(agentDirectory: string): readonly string[] {
	const auth = collectTexts(readJsonFile(join(agentDirectory, "auth.json")), 0);
	const models = readJsonFile(join(agentDirectory, "models.json"));
	return [...auth, ...collectFields(models, "apiKey", 0)];
}

function collectTexts(value: unknown, depth: number): readonly string[] {
	if (typeof value === "string") return [value];
	if (typeof value !== "object" || value === null || depth > MAX_DEPTH) return [];
	return Object.entries(value).flatMap(([name, part]) =>
		HARMLESS.test(name) ? [] : collectTexts(part, depth + 1),
	);
}

function collectFields(value: unknown, field: string, depth: number): readonly string[] {
	if (typeof value !== "object" || value === null || depth > MAX_DEPTH) return [];
	return Object.entries(value).flatMap(([name, part]) => {
		if (name === field && typeof part === "string")
			return part.startsWith("$") || part.startsWith("!") ? [] : [part];
		return collectFields(part, field, depth + 1);
	});
}
